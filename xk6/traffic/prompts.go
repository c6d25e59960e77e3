package traffic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"weighbridge.dev/xk6/plan"
)

// ReadPrompts reads a file of prompts: one a line, or NDJSON objects with a prompt where the first line begins with a
// brace; blank lines count for nothing. It must be the file that was planned with: its hash and its count are checked.
func ReadPrompts(file plan.PromptFile) ([]string, error) {
	text, err := os.ReadFile(file.Path)
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	hash := sha256.Sum256(text)
	if found := hex.EncodeToString(hash[:]); found != file.SHA256 {
		return nil, fmt.Errorf("prompts %s: expected the file that the plan was made with (sha256 %s), found another (%s): "+
			"plan again", file.Path, file.SHA256, found)
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("prompts %s: expected UTF-8", file.Path)
	}
	prompts, err := promptLines(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if err != nil {
		return nil, fmt.Errorf("prompts %s: %w", file.Path, err)
	}
	if int64(len(prompts)) != file.Count || file.Count == 0 {
		return nil, fmt.Errorf("prompts %s: expected %d prompts as planned, found %d", file.Path, file.Count, len(prompts))
	}
	return prompts, nil
}

// besidePlan is the copy of a file of prompts that stands beside the plan (promptsBeside of src/contracts/plan.ts), so that
// a plan can be driven on another machine; the file as it was planned with where there is none.
func besidePlan(planPath string, file plan.PromptFile) plan.PromptFile {
	if len(file.SHA256) < hashDigits {
		return file
	}
	copied := filepath.Join(filepath.Dir(planPath), "prompts-"+file.SHA256[:hashDigits]+".txt")
	if _, err := os.Stat(copied); err == nil {
		file.Path = copied
	}
	return file
}

// hashDigits name a copy.
const hashDigits = 16

func promptLines(text string) ([]string, error) {
	var prompts []string
	objects := strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.Trim(line, " \t") == "" {
			continue
		}
		if objects {
			var object struct {
				Prompt *string `json:"prompt"`
			}
			if err := json.Unmarshal([]byte(line), &object); err != nil || object.Prompt == nil || *object.Prompt == "" {
				return nil, fmt.Errorf("line %d: expected a JSON object with a text %q", number+1, "prompt")
			}
			line = *object.Prompt
		}
		prompts = append(prompts, line)
	}
	return prompts, nil
}
