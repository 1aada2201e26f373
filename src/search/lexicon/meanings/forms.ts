/** Forms and derivations of English words that a stemmer does not bring together. */
export const forms = `
  arise arose arisen | bear bore borne | beat beaten | bend bent | bind bound | bite bit bitten | bleed bled | blow blew blown
  break broke broken breakage | bring brought | burn burnt | buy bought | catch caught | choose chose chosen choice | come came
  cling clung | creep crept | deal dealt | dig dug | draw drew drawn | drink drank drunk | drive drove driven | eat ate eaten
  fall fell fallen | feed fed | feel felt | fight fought | find found | flee fled | fly flew flown flight | forbid forbade forbidden
  forget forgot forgotten | forgive forgave forgiven | freeze froze frozen | grind ground | grow grew grown growth | hang hung
  hear heard | hide hid hidden | hold held | keep kept | kneel knelt | know knew known knowledge | lay laid | lead led | learn learnt
  leave left | lend lent | light lit | lose lost loss | mean meant | meet met meeting | mistake mistook mistaken | pay paid payment
  prove proven proof | ride rode ridden | ring rang rung | rise rose risen | run ran | seek sought | sell sold sale | send sent
  sew sewn | shake shook shaken | shine shone | shoot shot | show shown | shrink shrank shrunk | sing sang sung song | sink sank sunk
  sit sat | sleep slept asleep | slide slid | smell smelt | speak spoke spoken speech | spell spelt | spend spent | spill spilt
  spin spun | spoil spoilt | spring sprang sprung | stand stood | steal stole stolen | stick stuck | sting stung | stink stank
  strike struck | swear swore sworn | sweep swept | swell swollen | swim swam swum | swing swung | take took taken | teach taught
  tear tore torn | think thought | throw threw thrown | wake woke woken | wear wore worn | win won | wind wound | write wrote written
  withdraw withdrew withdrawn withdrawal | child children | foot feet | tooth teeth dental | man men | woman women | mouse mice
  person people | wife wives | knife knives | life lives live alive | half halves | leaf leaves | shelf shelves | thief thieves theft
  calf calves | loaf loaves | wolf wolves | goose geese | ox oxen | bacterium bacteria | medium media | analysis analyses
  deliver delivery | apply application applicant | decide decision | extend extension | permit permission | admit admission admittance
  receive receipt reception | proceed procedure | succeed success successful | give gift | die died death dead deceased | deceive deception
  believe belief | weigh weight | see sight | strong strength strengthen | long length lengthen | high height | deep depth | wide width
  broad breadth | warm warmth | hot heat | young youth | true truth | safe safety | anxious anxiety | able ability | vary variety variation
  available availability | valid validity | possible possibility | urgent urgency | emerge emergency | pregnant pregnancy | private privacy
  accurate accuracy | vacant vacancy vacate | frequent frequency | expire expiry expiration | discover discovery | recover recovery
  enquire enquiry inquire inquiry | enter entry entrance | deny denial | rely reliable reliance | notify notification notice | verify verification
  identify identification identity | qualify qualification | certify certificate certification | modify modification | classify classification
  comply compliance compliant | insure insurance insurer | assist assistance assistant | allow allowance | maintain maintenance
  prefer preference | refer reference referral | differ difference different | defend defence | offend offence | respond response
  suspend suspension | intend intention | prevent prevention | convert conversion | divert diversion | divide division | provide provision
  collide collision | explode explosion | exclude exclusion | include inclusion inclusive | conclude conclusion | transmit transmission
  submit submission | omit omission | produce production product | reduce reduction | introduce introduction | destroy destruction
  describe description | prescribe prescription | subscribe subscription subscriber | consume consumption | resume resumption
  redeem redemption | exempt exemption | solve solution | resolve resolution | dissolve solution | acquire acquisition | measure measurement
  move motion | try trial | rent rental | sign signature | depart departure | fail failure | close closure | press pressure | mix mixture
  post postage postal | pack package packaging | marry marriage marital | carry carriage carrier | compare comparison | erase erasure
  own owner ownership | member membership | relation relationship | partner partnership | scholar scholarship | citizen citizenship
  neighbour neighbourhood | child childhood | parent parental | music musical | medicine medical medicinal | law legal lawful lawyer
  mouth oral | eye optical optician | ear hearing aural | hand manual | year annual yearly | day daily | month monthly | week weekly
  night overnight nightly | sun solar sunny | moon lunar | city urban | country national rural | world worldwide global | sea marine maritime
  water aquatic watery | animal veterinary | heart cardiac | skin dermatological | blood bleed bleeding | head heading | money monetary
  tax taxable taxation | crime criminal | danger dangerous | poison poisonous toxic | fire fiery inflammable flammable | noise noisy
  ice icy frozen | wind windy | rain rainy | storm stormy | dirt dirty | dust dusty | mud muddy | salt salty | sugar sugary | oil oily | fat fatty
  health healthy | hunger hungry | thirst thirsty | anger angry | luck lucky | guilt guilty | fault faulty | defect defective | effect effective
  hazard hazardous | allergy allergic | diabetes diabetic | vegan veganism | alcohol alcoholic | electric electrical electricity electrician electronic
  mechanic mechanical | technic technical technician technology | economy economic economical | politics political | practice practical
  science scientific scientist | art artist artistic | photo photograph photography photographer photographic | library librarian
  dentist dentistry dental | pharmacy pharmacist pharmaceutical | surgery surgical surgeon | physics physical | chemist chemical chemistry
  gym gymnasium gymnastics | vehicle vehicular | plumb plumber plumbing | account accountant accounting | book bookkeeping
  reimburse reimbursement | refund refundable | return returnable | cancel cancellation cancelled | transfer transferable | use usage usable reuse
  pay payable payer | owe owing | access accessible accessibility | wheel wheelchair | charge charger chargeable recharge | print printer printout
  scan scanner | drive driver driving | ride rider riding | cycle cyclist bicycle | travel traveller | visit visitor | swim swimmer swimming
  run runner running | climb climber climbing | hike hiker hiking | camp camper camping campsite | cook cooker cooking cookery | bake bakery baker
  clean cleaner cleaning cleanliness | teach teacher teaching | learn learner learning | train trainer trainee training | employ employer employee employment
  work worker working workplace | manage manager management | own owner | rent renter rental tenant | lend lender lending | sell seller selling sale
  buy buyer buying | supply supplier | produce producer | direct director direction | inspect inspector inspection | act actor action | protect protection protective
  one 1 | two 2 | three 3 | four 4 | five 5 | six 6 | seven 7 | eight 8 | nine 9 | ten 10 | eleven 11 | twelve 12 | fifteen 15 | twenty 20
  thirty 30 | forty 40 | fifty 50 | sixty 60 | hundred 100 | thousand 1000 | first 1st | second 2nd | third 3rd
`;
