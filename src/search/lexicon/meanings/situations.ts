/** What callers tell of before a colon, and behind it what a text that helps them is about. English alone. */
export const situations = `
  crash crashed collision: accident police triangle hazard claim damage witness photograph report
  stolen theft burglar pickpocket: police report block claim lost serial
  lost forgot: replace replacement found block property reveal reset
  wallet purse: card block lost theft
  move moving relocate: address transfer contract technician meter forward deposit
  tenant landlord: deposit rent notice repair key heating
  die died death deceased: certificate heir estate account terminate
  divorce separated: name account joint
  marry wedding married: name certificate register group
  pregnant expecting: leave birth midwife maternity child pause
  baby newborn infant: cot nappy parental birth maternity register stroller changing
  unemployed jobless benefits: reduction reduced benefit half proof
  ill sick flu: note sickness doctor certificate absence
  injured leg ankle: pause note doctor crutch wheelchair
  wheelchair crutches stroller pushchair: lift ramp step accessible entrance
  blind deaf: guide braille audio hearing dog sign
  hungry starving eat: meal breakfast restaurant snack kitchen food
  thirsty: drink water
  tired sleepy: bed rest sleep quiet
  cold freezing: heating warm blanket
  hot heat sweat: air cool fan ventilation
  noisy loud party: quiet hour neighbour complaint
  flood leaking burst: water damage emergency plumber valve
  outage blackout: report fault neighbour restore fuse
  slow lagging buffering: speed router cable measure wireless restart
  offline disconnected: router restart cable fault
  screen cracked smashed shattered: display glass repair replacement
  wet soaked rain: water damage waterproof dry
  overcharged double twice: refund invoice dispute correct
  overcharge surprise: invoice cost fee
  scam scammer hacked fraud phishing: report block police never pin password
  hacked compromised leaked: password reset change security report
  unknown unrecognised: dispute liable block
  broke poor afford: instalment discount reduced deferral benefit
  late overslept missed: delay appointment fee charge cancel
  early: arrival before luggage deposit
  stuck trapped: emergency lift call
  expired outdated: renew validity extend
  full overflowing crowded: limit capacity size waiting reserve
  broken defective: repair guarantee replace workshop
  scratched dented torn: damage report photograph complaint exchange
  unhappy dissatisfied disappointed: complaint return refund
  wrong mixed: exchange correct return replace
  change mind regret: return withdraw cancel refund
  cancelled postponed: refund replacement date money
  abroad foreign overseas: country customs roaming postage international currency
  travel trip vacation: insurance passport abroad luggage
  drive driving: licence car alcohol fuel
  drunk: alcohol police
  smoke smoking: terrace fire alarm cleaning
  allergic intolerant: gluten ingredient allergy free
  vegetarian vegan: meat ingredient menu
  diabetic: insulin sugar tablet
  afraid scared terrified nervous: sedation anxiety laughing calm
  fell slipped: accident injury liability
  bitten bite sting: wound vaccine doctor rabies
  bleeding: blood emergency pressure doctor
  swallowed poisoned: poison emergency doctor
  choking unconscious: emergency ambulance first aid
  fire smoke burning: emergency alarm exit extinguisher
  smell stink: gas odour ventilation leak
  mould damp: ventilate humidity landlord
  mouse rat cockroach pest: trap control
  kids children: child playground age parent minor family
  school: holiday pupil teacher enrol
  homework: pupil lesson
  graduate graduation: certificate diploma
  beginner newbie novice: level introductory first start
  advanced experienced: level
  retired pensioner elderly: senior pension reduced
  student university: reduced proof discount
  receipt lost: proof purchase statement invoice
  birthday anniversary: gift voucher party
  christmas: holiday closed december gift
  sunday weekend: closed opening emergency
  night midnight: emergency service locked closed quiet
  queue waiting: time appointment ticket
  speak human: staff advisor phone contact
  complain: complaint contact management
  address: moved change correct
  name married: change
  photo: camera flash tripod picture
  film filming record: camera privacy forbidden
  charge charger: power socket cable battery electric
  park: garage space ticket permit
  tow towed: breakdown garage parking
  petrol diesel: fuel tank
  bike bicycle: rack lock path helmet
  helmet: bike climbing protection
  boat kayak canoe: bulky river life jacket
  tent camping: pitch pole peg season
  hike hiking: boot trail packed map
  climb climbing: rope harness helmet
  swim: pool lane towel
  gym workout: membership trainer class locker weights
  massage: spa appointment wellness
  haircut: hairdresser appointment
  tooth toothache: dentist pain filling emergency
  smile: teeth whitening
  glasses: optician eye lens
  pill tablet: medicine dose prescription
  dose dosage: tablet daily
  vaccine jab: appointment age vaccination
  surgery operation: fasting anaesthetic stitches recovery sober
  hospital: emergency ward visiting
  visitor visiting: hours registered guest
  pet: dog cat vaccination leash
  puppy kitten: vaccination vaccine chip
  passport: id photo renew travel
  moved house: address
  wardrobe assemble: assembly delivery fitter
  staircase upstairs: floor lift delivery
  garden: green waste water grass
  leftovers peelings: organic compost brown bio
  diapers: residual nappies black
  batteries: collection recycling hazardous
  tv television: electrical recycling aerial
  paint oil chemical: hazardous recycling
  mattress sofa wardrobe: bulky furniture collect
  lamp bulb: electrical light recycling
  tree: garden branch
  hire recruit apply: application vacancy position
  raise promotion: salary
  salary wage: month pay account
  laptop phone stolen: report device security
  sick child: leave doctor note
  homeoffice remote: working home days
  resign quit: notice period probation leaving
  training learn: course budget
  lunch dinner business: meal expense allowance
  taxi train flight: expense travel receipt
  developer programmer api: key request token
  timeout crash exception: error retry
  limit exceeded throttled: rate requests quota
  password: reset forgotten login change
  login: password account
  storage mailbox full: quota limit size
  spam: filter mail
  print scan: paper copy
  contract terminate: notice period written form
  price raised: increase right terminate
  unpaid behind: reminder block fee arrears
  lawyer court: legal dispute liability
  guarantee: years repair invoice fault material
  parcel package: tracking courier delivery neighbour
  neighbour: noise parcel
  missing: lost complaint search
  spare screw: part order number
  manual instruction: use safety
  clean dirty: wash cleaning stain
  dishwasher: wash
  flame sooty: burner jet
  gas: leak smell cylinder valve
  mountain: altitude metres height
  fridge: cold degrees temperature
  heater radiator: temperature water pump
  renovate insulation: subsidy funding energy
  subsidy government: state percent application funding
  solar: electricity panel roof
  meter: reading number
  instalment: month interest percent
  loan: interest credit
  withdraw cash: machine limit card
  account close: balance terminate statement
  joint share: together account both
  teenager kid account: minor parent consent
  tax: invoice value certificate
  vote: owner meeting majority
  repaint renovation: wall paint offer
  elevator lift: floor stairs broken
  janitor: caretaker building management
  roof: leak rain scaffold
  recycle: bin glass paper plastic
  ticket fine: penalty
  seat: reserve reservation place
  delay late train: compensation refund minutes
  bag train: lost property luggage
`;
