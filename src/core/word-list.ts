/** Common English words by part of speech, ASCII only: the vocabulary of generated prompts. */
export const WORDS = {
  nouns: words(`
    answer apple area argument army arrow attempt autumn ball bank basket battle bell bicycle bird boat book bottle
    bowl branch bread breath brick bridge brother building button cable camera candle captain carpet castle cause
    ceiling centre chain chair chance change chapter child choice church circle class clock cloud coast coat coffee
    colour company contract copper corner cotton country course cousin crowd curtain custom danger daughter debt
    decision degree design desk detail diamond dinner direction distance document door dozen drawer dream driver
    edge effect effort engine evening event example eye fact factory family farm farmer feather fence festival field
    figure finger fire fish flag flame flight flower force forest fortune frame friend fruit garden gate glass goat
    goal grain group guest guide habit hammer harbour hat heart height history hole holiday horse hotel hour house
    idea image island issue journey judge key kettle kitchen knife ladder lake lamp language law leaf lemon lesson
    letter library light limit lion list machine map market mayor meal measure medicine meeting memory message metal
    method milk minute mirror mistake model moment money month morning mother motor mountain mouse museum name nation
    needle neighbour noise note novel number object ocean offer office oil orange orchard order owner page paint pair
    paper park part party path patient pattern payment pencil people person picture piece pilot pipe place plan plant
    plate pocket poem point police pond pool port post potato power present price prize problem process promise
    purpose question rail rain reason record report result rice ring river road rock roof room rope rule sail salt
    sample school sea season seat secret seed sentence service shadow shape sheep shelf ship shirt shoe shop shoulder
    signal silence silver sister size skin sky snow soldier song sound soup source speech spring square stage star
    station steam step stone store storm story stranger stream street string student subject sugar suit summer sun
    surface table tailor task teacher team temple test theatre thing thought thread ticket tide tool top tower town
    track trade train travel tree trial trouble truth tunnel uncle valley value vessel view village visit voice wagon
    wall water wave way weather week weight wheel wind window wing winter wire wolf woman wood word work world writer
    year`),
  plurals: words(`
    animals bags boxes boys cards cases children coins colours days doctors doors engineers farmers feet figures
    friends gardens girls hands hills hours houses ideas islands leaves letters lights lines men months names nights
    numbers pages papers parents people plans plants prices questions reasons records results rivers rooms rules
    ships shops songs stones stories streets students things towns trees visitors walls weeks windows women words
    workers years`),
  adjectives: words(`
    able bad big black blue brief bright broad brown busy calm careful central cheap clean clear clever cold common
    complete cool correct curious dark dear deep different difficult direct dry early easy empty exact expensive fair
    false familiar famous fast few final fine first flat foreign fresh full general gentle golden good great green
    grey happy hard heavy high honest hot huge important kind large last late light little local lonely long loose
    loud low main modern narrow natural near new next noble normal old open ordinary pale plain pleasant poor private
    proud public quick quiet rare ready real red rich right rough round royal sad safe second serious several sharp
    short silent simple single slow small smooth soft solid special steady straight strange strong sudden sweet tall
    thick thin third tired true usual warm weak wet white whole wide wild wise wooden wrong yellow young`),
  /** Past tense, with an object. */
  verbs: words(`
    accepted added admired asked avoided bought broke brought built carried caught changed checked chose cleaned
    closed collected compared considered copied counted covered crossed cut described discovered divided drew dropped
    enjoyed examined expected explained felt filled finished followed forgot found gave guarded heard held helped
    hid improved joined kept knew learned left liked loved made measured mended met missed moved needed noticed
    offered opened ordered packed painted paid planned planted prepared produced protected pulled pushed put reached
    read received remembered repaired repeated replaced returned saved saw sent served set shared showed signed sold
    solved stopped studied supported taught took touched turned understood used visited wanted washed watched won
    wrote`),
  /** Past tense, without an object. */
  intransitives: words(`
    agreed appeared arrived began came continued danced disappeared fell flew grew happened hurried jumped laughed
    listened lived looked paused played ran remained rested rose sang sat shone slept smiled spoke stayed stood swam
    talked travelled waited walked went worked`),
  adverbs: words(`
    again almost already always badly carefully certainly clearly closely early easily exactly finally gently hardly
    here later mostly nearly never often once only perhaps probably quickly quietly rarely really seldom simply slowly
    sometimes soon still suddenly then there together usually well`),
  places: words(`
    bakery bay beach camp capital castle cave city desert district east farm forest garden harbour hospital kitchen
    lake market north office palace park quarter river school south square station theatre town university valley
    village west`),
  people: words(`
    actor aunt author baker boy captain clerk cook doctor engineer father girl grandmother king lady lawyer manager
    merchant miller musician nurse painter poet president priest prince queen sailor scientist servant shepherd singer
    smith soldier student teacher visitor waiter widow worker`),
  times: words(
    'April August December February January July June March May November October September Sunday Monday Tuesday Wednesday Thursday Friday Saturday',
  ),
  prepositions: words(
    'about above across after against along among around at before behind below beside between beyond by during for from in inside into near of on outside over past through to towards under until with within without',
  ),
  determiners: words('the the the the the a a this that every another each his her their our my no'),
  pluralDeterminers: words(
    'the the the some many most these those all few both his her their our two three four five ten',
  ),
  connectives: words('and and and but so because although while when if where since'),
  openers: words('However Therefore Meanwhile Besides Instead Afterwards Today Yesterday Still Moreover'),
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
