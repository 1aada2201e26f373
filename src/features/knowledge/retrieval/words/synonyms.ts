import { stem } from './stem.ts';

/**
 * English words that callers and documents use for the same thing: irregular forms, which no stemmer knows; British and American
 * words; and plain words beside those of terms and conditions. Only what is hardly ever wrong: a line here counts in every knowledge
 * base. What goes beyond is the work of an embeddings endpoint.
 */
const groups = `
  buy bought purchase | pay paid payment | send sent ship shipped dispatch post | steal stole stolen theft robbed
  break broke broken defective faulty | lose lost missing | leave left | forget forgot forgotten | drive drove driven
  eat ate eaten | drink drank drunk | fall fell fallen | choose chose chosen pick | come came | write wrote written | speak spoke spoken
  wear wore worn | tear tore torn | freeze froze frozen | hold held | keep kept | build built | sell sold sale | teach taught
  catch caught | feel felt | hear heard | meet met meeting | run ran | ring rang rung | swim swam | fly flew flown flight | hurt injured
  child children kid | foot feet | tooth teeth | man men | woman women | mouse mice | person people | wife wives | knife knives
  lift elevator | rubbish garbage trash refuse waste | zip zipper | flat apartment | holiday vacation leave | mobile cellphone smartphone
  petrol gasoline fuel | post mail | nappy diaper | torch flashlight | lorry truck | queue line | autumn fall | chemist pharmacy drugstore
  tap faucet | cot crib | pushchair stroller | trainers sneakers | trousers pants | jumper sweater pullover | biscuit cookie | film movie
  timetable schedule | solicitor lawyer attorney | tyre tire | colour color | cheque check | grey gray | licence license | programme program
  centre center | metre meter | litre liter | kilometre kilometer | catalogue catalog | aluminium aluminum | jewellery jewelry | tin can
  refund reimburse repay | cancel terminate revoke | price cost fee charge rate | car vehicle automobile | fix repair mend
  phone telephone call | photo photograph picture | doctor physician | ill sick sickness illness | sofa couch settee | tv television telly
  luggage baggage suitcase bag | bike bicycle cycle | internet web online | wifi wlan wireless radio | invoice bill
  salary wage wages pay | boss manager supervisor | job position vacancy | forbid prohibit ban forbidden banned | allow permit allowed
  trip journey travel | move relocate relocation | quit resign | hire recruit employ | rent lease | cheap inexpensive
  discount reduction reduced | free gratis complimentary | warranty guarantee | exchange swap | change modify alter | shut close closed
  quick fast | big large | small little | bigger larger | wrong incorrect | error fault mistake | box package parcel packet | house home
  begin start | finish end | help assist assistance | require need | ask enquire inquire | receipt invoice proof | customer client
  address residence | birthday birth | company firm business enterprise | employee worker staff | contract agreement | damage damaged harm
  dangerous hazardous | children minors | elderly senior pensioner | evening night | morning am | afternoon pm | midday noon
  supper dinner | sweets candy | shop store | clothes clothing garment | coat jacket | shoes footwear boots | socket outlet plug
  reboot restart | router modem | login signin logon | password passcode | picture image | garbage bin | dentist dental | teach instruct
  workout training exercise | friend guest companion | noise loud noisy | examination exam test check | meal food | pet animal
`;

/** By stem, the stems that may stand for it. */
const bySynonym = new Map<string, ReadonlySet<string>>();
for (const group of groups.split(/[|\n]/)) {
  const stems = group
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(stem);
  for (const one of stems) bySynonym.set(one, new Set([...(bySynonym.get(one) ?? []), ...stems]));
}

/** Stems of words that often stand for a word (given as its stem); itself not among them. */
export const synonymsOf = (word: string): string[] =>
  [...(bySynonym.get(word) ?? [])].filter((other) => other !== word);
