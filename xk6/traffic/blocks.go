package traffic

import "strconv"

// blockBytes is BLOCK_BYTES of src/workload/block-text.ts: a block of 512 tokens.
const blockBytes = 2_560

// appendBlocks is blockText of src/workload/block-text.ts: the first bytes of the blocks that hash ids name.
func appendBlocks(into []byte, hashIDs []int64, length, seed int64) []byte {
	most := min(length, int64(len(hashIDs))*blockBytes)
	if most < 2 {
		return into
	}
	from := int64(len(into))
	for _, id := range hashIDs[:(most+blockBytes-1)/blockBytes] {
		into = promptText(into, blockBytes-1, keyOf("block", seed, strconv.FormatInt(id, 10)))
		into = append(into, '\n')
	}
	if int64(len(into))-from == most {
		return into
	}
	into = into[:from+most]
	into[from+most-1] = ' '
	return into
}
