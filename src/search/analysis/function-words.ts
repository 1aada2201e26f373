import { fold } from './fold.ts';
import { type Language, languages } from './languages.ts';
import { stem } from './stem.ts';

/**
 * Words that say nothing about the subject of a question: those that hold a sentence together, and what people say around a question
 * on the telephone. In a base of five passages even "how" is rare, so counting cannot tell them.
 */
const english = `a an the this that these those there here it its itself he him his she her hers they them their theirs we us our ours
  i me my mine myself you your yours yourself one ones who whom whose which what when where why how and or but nor so if then else than
  as at by for from in into of off on onto out over under to up with within without about above after again against before between
  during through until while because since be am is are was were been being do does did doing done have has had having can could may
  might must shall should will would ought not no nor yes too very just only also even still already yet some any each every all both
  either neither other another such same own much many more most few less least lot lots
  im ive id ill youre youve youd theyre were weve its thats whats heres theres dont doesnt didnt cant couldnt wont wouldnt isnt arent
  wasnt werent hasnt havent hadnt shouldnt
  hello hi hey please thanks thank sorry okay ok well um uh hmm er erm like so actually really maybe perhaps anyway
  tell know say said ask asking wonder wondering mean means want wanted wants wanna need needs gonna got get gets getting going go
  goes let lets give please question something anything someone anyone everything thing things stuff kind sort way possible able
  happen happens happened find figure explain help try trying tried make makes made take takes put use using see look looking think guess
  supposed suppose happening sure quick quickly right now`;
const german = `der die das den dem des ein eine einen einem einer eines kein keine keinen keiner und oder aber doch denn sondern als wie
  wenn weil dass ob ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen mein meine meinen meinem meiner dein deine sein
  seine ihre ihren ihrem ihrer unser unsere euer eure sich man wer wen wem was wann wo woher wohin warum wieso weshalb welche welcher
  welches welchen wieviel viel viele mehr sehr auch nur noch schon bitte danke hallo guten tag ja nein nicht nichts etwas hier da dort
  ist sind war waren bin bist seid wird werden wurde werde wurden haben habe hat hatte hatten kann konnen kannst konnte konnten
  muss mussen musste soll sollte darf durfen durfte will wollen wollte mochte mochten mag geht gehen gibt geben machen macht mache
  in im ins an am auf aus bei beim bis durch fur gegen mit nach ohne seit uber um unter von vom vor zu zum zur zwischen
  eigentlich vielleicht mal so dann denn also sagen wissen fragen frage`;
const spanish = `el la los las un una unos unas lo al del de y e o u pero sino que quien quienes cual cuales cuando donde como por porque para
  con sin sobre entre hasta desde en a ante si no ni tambien muy mas menos ya yo tu usted ustedes ella ellos ellas nosotros me te se nos
  le les mi mis su sus tus este esta estos estas ese esa esos esas esto eso aquel es son era eran soy somos ser estar estoy esta estan hay
  he ha han habia tiene tienen tengo tener puede pueden puedo podria poder debo debe hacer hago hace quiero quisiera necesito saber decir
  hola gracias favor cuanto cuanta cuantos cuantas algo alguien algun alguna`;
const french = `le la les un une des du de d l et ou mais donc or ni car que qui quoi dont ou quand comment pourquoi combien quel quelle quels
  quelles ce cet cette ces cela ca je tu il elle on nous vous ils elles me te se moi toi lui leur leurs mon ma mes ton ta tes son sa ses
  notre nos votre vos en y a au aux avec sans sous sur dans par pour chez entre vers jusque est sont suis es etes etait etaient etre
  ai as avons avez ont avoir peut peuvent peux pouvez puis pourrais dois doit devez faut faire fais fait faites veux voudrais besoin
  ne pas plus moins tres aussi si oui non bonjour merci plait savoir dire quelque chose est-ce`;
const italian = `il lo la i gli le un uno una di del della dei delle dello degli da dal dalla in nel nella nei con su sul sulla per tra fra a al
  alla ai alle e o ma che chi cui quale quali quando dove come perche quanto quanta quanti quante se non no si anche molto piu meno io tu lui
  lei noi voi loro mi ti ci vi mio mia miei mie tuo suo sua suoi nostro vostro questo questa questi queste quello quella sono sei siamo
  siete era essere ho hai ha abbiamo avete hanno avere posso puo possono potrei devo deve fare faccio vorrei voglio bisogno sapere dire
  ciao buongiorno grazie favore`;
const portuguese = `o os a as um uma uns umas de do da dos das em no na nos nas por pelo pela para com sem sobre entre ate e ou mas que quem
  qual quais quando onde como porque quanto quanta quantos quantas se nao sim tambem muito mais menos eu tu ele ela nos voces eles elas me te
  lhe meu minha meus minhas seu sua seus suas nosso este esta isto esse essa isso sao era ser estar estou esta estao ha tem tenho ter pode
  podem posso poderia devo deve fazer faco quero queria gostaria preciso saber dizer ola obrigado favor`;
const dutch = `de het een en of maar want dus als dan dat die dit deze er hier daar ik jij je u hij zij ze wij we jullie mij me hem haar ons hun
  mijn jouw uw zijn onze wie wat wanneer waar waarom hoe welke welk hoeveel is ben bent was waren wordt worden heb hebt heeft had hebben
  kan kunnen kunt kon moet moeten mag mogen wil willen zal zullen zou zouden niet geen wel ook nog al zeer heel van in op aan bij met naar
  om over tot uit voor door zonder tussen tegen te ja nee hallo graag alstublieft bedankt doen doe weten zeggen`;
const chinese = `的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 这 那 这个 那个 有 没有 和 与 或 吗 呢 吧 啊 什么 怎么 怎样 如何 哪 哪里 哪个 谁
  为什么 多少 几 可以 能 会 要 想 请 请问 就 都 也 很 不 把 被 给 对 到 从 上 下 里 个 是否 一下 知道`;
const japanese = `の は が を に で と も や へ から まで より か ね よ です ます でした ました ません する した して ください いる ある あり なる れる
  られる た だ な て この その あの これ それ あれ ここ そこ 何 どこ いつ だれ 誰 どう どの どれ どうやって なぜ こと もの ため できる でき 教え いくら ですか`;

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).map((word) => stem(fold(word))));
const sets: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: setOf(english),
  de: setOf(german),
  es: setOf(spanish),
  fr: setOf(french),
  it: setOf(italian),
  pt: setOf(portuguese),
  nl: setOf(dutch),
  zh: setOf(chinese),
  ja: setOf(japanese),
};
const always = [sets.en, sets.zh, sets.ja];
const others = languages.map((language) => sets[language]).filter((set) => !always.includes(set));

const hits = (set: ReadonlySet<string>, terms: readonly string[]): number =>
  terms.filter((term) => set.has(term)).length;

/**
 * Tells of a question's words (as termsOf gives them) which say nothing about its subject. Languages that share letters share words
 * ("plus", "die", "son"): a language other than English counts only where two words speak for it, and no fewer than for English.
 */
export function functionWordsOf(terms: readonly string[]): (term: string) => boolean {
  const enough = Math.max(2, hits(sets.en, terms));
  const spoken = [...always, ...others.filter((set) => hits(set, terms) >= enough)];
  return (term) => spoken.some((set) => set.has(term));
}

/** The languages that a question may be in: those for which most of its function words speak; none where none do. */
export function languagesOf(terms: readonly string[]): Language[] {
  const counts = languages.map((language) => hits(sets[language], terms));
  const most = Math.max(...counts);
  return most === 0 ? [] : languages.filter((_, index) => counts[index] === most);
}
