/** Irregular forms, British and American words, and plain words beside those of terms and conditions. English alone. */
export const english = `
  buy bought purchase
  pay paid payment
  send sent ship shipped dispatch post
  steal stole stolen theft robbed
  break broke broken defective faulty
  lose lost missing
  leave left
  forget forgot forgotten
  drive drove driven
  eat ate eaten
  drink drank drunk
  fall fell fallen
  choose chose chosen pick
  come came
  write wrote written
  speak spoke spoken
  wear wore worn
  tear tore torn
  freeze froze frozen
  hold held
  keep kept
  build built
  sell sold sale
  teach taught
  catch caught
  feel felt
  hear heard
  meet met meeting
  run ran
  ring rang rung
  swim swam
  fly flew flown flight
  hurt injured
  child children kid
  foot feet
  tooth teeth
  man men
  woman women
  mouse mice
  person people
  wife wives
  knife knives
  lift elevator
  rubbish garbage trash refuse waste
  zip zipper
  flat apartment
  holiday vacation leave
  mobile cellphone smartphone
  petrol gasoline fuel
  post mail
  nappy diaper
  torch flashlight
  lorry truck
  queue line
  autumn fall
  chemist pharmacy drugstore
  tap faucet
  cot crib
  pushchair stroller
  trainers sneakers
  trousers pants
  jumper sweater pullover
  biscuit cookie
  film movie
  timetable schedule
  solicitor lawyer attorney
  tyre tire
  colour color
  cheque check
  grey gray
  licence license
  programme program
  centre center
  metre meter
  litre liter
  kilometre kilometer
  catalogue catalog
  aluminium aluminum
  jewellery jewelry
  tin can
  refund reimburse repay
  cancel terminate revoke
  price cost fee charge rate
  car vehicle automobile
  fix repair mend
  phone telephone call
  photo photograph picture
  doctor physician
  ill sick sickness illness
  sofa couch settee
  tv television telly
  luggage baggage suitcase bag
  bike bicycle cycle
  internet web online
  wifi wlan wireless radio
  invoice bill
  salary wage wages pay
  boss manager supervisor
  job position vacancy
  forbid prohibit ban forbidden banned
  allow permit allowed
  trip journey travel
  move relocate relocation
  quit resign
  hire recruit employ
  rent lease
  cheap inexpensive
  discount reduction reduced
  free gratis complimentary
  warranty guarantee
  exchange swap
  change modify alter
  shut close closed
  quick fast
  big large
  small little
  bigger larger
  wrong incorrect
  error fault mistake
  box package parcel packet
  house home
  begin start
  finish end
  help assist assistance
  require need
  ask enquire inquire
  receipt invoice proof
  customer client
  address residence
  birthday birth
  company firm business enterprise
  employee worker staff
  contract agreement
  damage damaged harm
  dangerous hazardous
  children minors
  elderly senior pensioner
  evening night
  morning am
  afternoon pm
  midday noon
  supper dinner
  sweets candy
  shop store
  clothes clothing garment
  coat jacket
  shoes footwear boots
  socket outlet plug
  reboot restart
  router modem
  login signin logon
  password passcode
  picture image
  garbage bin
  dentist dental
  teach instruct
  workout training exercise
  friend guest companion
  noise loud noisy
  examination exam test check
  meal food
  pet animal
  anyone anybody somebody someone person
  big bulky large oversize tall
  scared terrified frightened afraid anxious nervous
  enough sufficient suffice
  advertised promised guaranteed agreed
  promised guaranteed
  recognise recognize know identify
  cable lead wire
  bottle canister cylinder cartridge
  outage interruption downtime
  compensation reduction credit refund
  premium contribution scale class
  crash accident collision
  drop leave deposit
  hand give
  suitcases bags luggage
  wheelie bin dustbin
  crockery dishes plates cups
  vacuum hoover
  soap detergent
  fabric cloth textile material
  rucksack backpack
  hoodie sweatshirt jumper
  present here attend
  fluid liquid
  plant tree bush
  kettle boiler
  stove cooker burner hob
  mend repair patch sew
  rip tear hole
  stitch seam sew
  stone rock pebble
  blade knife
  rope cord string
  pole rod stick
  screw bolt nut
  glue adhesive
  pipe tube hose
  drain sewer
  fence hedge border
  corner edge
  fluctuate vary
  worker builder craftsman tradesman handyman contractor
  courtyard yard
  reserve savings fund
  finance financed funded paid fund
  upgrade improve improvement
  downgrade lower
  latest newest current up-to-date
  obsolete discontinued old
  model version type edition
  kind type sort category
  limit restrict restriction
  unlimited limitless no_limit
  gap distance space
  near nearby close next
  opposite across
  in_front outside before
  behind rear back
  above over beyond
  below under beneath less
  between among
  ahead advance beforehand
  immediately instant instantly straightaway at_once right_away
  gradually slowly step
  temporary temporarily interim meanwhile
  permanent permanently forever indefinite
  occasionally sometimes
  always any_time anytime day_and_night 24/7 around_the_clock round_the_clock
  never not_ever
  rarely seldom
  approximately about roughly around
  exactly precisely
  usually normally generally typical
  automatic automatically by_itself by_themselves
  manually by_hand
  voluntary optional
  compulsory mandatory required obligatory
  separately individually extra
  altogether total sum in_all
  whole entire full complete
  partial part partly proportion
  double twice two
  once one_time single
  several multiple many
  none nothing zero
  pair both two
  dozen twelve
  fortnight two_weeks
  quarter three_months
  decade ten_years
  dawn sunrise
  dusk sunset
  sender from
  recipient addressee receiver
  author writer
  founder founded established history began
  headquarters head_office based
  award prize won
  competitor rival
  partner associate
  sponsor donation donate charity
  youngster youth teenager
  toddler infant
  twin sibling brother sister
  grandparent grandmother grandfather grandchild
  guardian parent carer
  stranger third_party others
  suspect culprit thief
  victim injured_party
  judge court
  mayor council
  priest church parish
  soldier army
  pilot captain
  chef cook
  waiter waitress
  cashier checkout till
  guard security
  inspector conductor controller
  surveyor assessor expert appraiser
  broker agent
  accountant bookkeeper bookkeeping
  gardener landscaping
  babysitter nanny childminder
  therapist physiotherapist psychologist
  vet veterinarian veterinary
  heart cardiac
  lung breathing breathe
  kidney liver
  bone skeleton
  muscle cramp
  nausea nauseous vomit vomiting throw_up sick
  dizzy dizziness faint
  swollen swelling
  itch itching rash
  infection infected inflammation
  virus bacteria germ
  contagious infectious
  side_effect reaction
  overdose too_much
  dose dosage
  drops syrup
  ointment cream gel
  bandage plaster dressing gauze
  needle syringe
  x-ray scan mri ultrasound
  heal recover recovery healing
  rinse gargle wash
  scrub brush
  chew bite
  swallow take
  cheek face
  lip mouth gum
  braces aligner orthodontic
  denture prosthesis
  sober fasting
  solid food
  broth soup
  pork beef chicken
  snack bite_to_eat nibble
  leftovers scraps peel
  spicy seasoning
  sugar sweet
  salt salty
  portion serving helping
  takeaway takeout to_go
  cutlery fork spoon
  grill barbecue bbq
  freezer frozen
  rotten mouldy spoiled gone_off bad
  ingredient contains
  calorie nutrition
  fold folding foldable collapsible
  handle grip
  lid cover cap
  button press key
  lever switch
  knob dial
  plug pin
  fuse breaker
  voltage volt
  watt kilowatt
  antenna aerial
  remote_control remote
  loudspeaker speaker audio
  headphones headset earphones
  keyboard mouse
  usb stick
  hard_drive disk drive
  icon symbol
  click tap press
  scroll swipe
  typing enter type input
  link url address
  virus malware
  domain dns
  header field
  parameter variable
  request call
  response answer
  format type
  sandbox test staging
  version release
  library sdk
  log record history
  dashboard console portal panel
  newsletter marketing
  unsubscribe opt_out
  spam junk
  bounce bounced undeliverable
  inbox mailbox
  attachment attached enclosure
  font typeface
  spreadsheet excel
  slide presentation
  barcode qr
  scan read
  fingerprint face biometric
  signature signed
  stamp postmark
  envelope letter
  string thread
  label tag
  barrel drum
  crate box carton
  bucket pail
  sack bag
  strap belt buckle
  lace shoelace
  sleeve arm
  collar neck
  button zip fastener
  dye coloured discoloured stained faded bleached
  shrink shrunk
  waterproof waterproofing rainproof
  flashlight torch headlamp
  lighter matches
  skiing ski snowboard
  running jogging run
  singing choir
  drawing painting
  pottery ceramics clay
  sewing knitting
  cooking baking
  martial_arts karate judo
  yoga pilates
  spinning cycling
  weightlifting weights dumbbell barbell
  coach trainer instructor
  trophy medal
  stadium arena
  lawn pitch field
  changing_room locker_room
  wristband bracelet
  entry_fee admission
  season_ticket annual_pass
  peak rush_hour
  timetable schedule departures
  platform track
  carriage coach wagon
  second_class economy
  one-way single
  round_trip return
  connection change transfer
  stopover layover
  boarding gate
  harbour port dock pier quay
  motorway highway
  speeding speed_limit
  pavement sidewalk kerb curb
  fold_up folding
  roof_rack roof_box
  gearbox clutch
  mot inspection
  mileage odometer
  rental_car hire_car rental loan_car courtesy_car replacement_car
  replacement_car rental
  vandalism vandal graffiti
  deliberate intent on_purpose intentional
  careless negligence negligent
  admit guilt fault blame
  dispute contest disagree challenge
  settle resolve
  postpone reschedule push_back delay move
  bring_forward earlier
  punctual on_time
  turnaround processing take
  priority urgent express
  fast-track express
  standard normal regular ordinary
  deluxe premium luxury
  basic simple
  double_room twin
  balcony terrace
  housekeeping cleaning
  pillow blanket duvet
  sheets linen
  curtain blind
  deckchair sunbed lounger
  umbrella parasol
  jacuzzi hot_tub whirlpool
  conference seminar
  banquet reception
  flower bouquet
  music band
  game board_game
  toy doll
  stroller pram pushchair
  car_seat child_seat booster
  bib bottle
  breastfeed nursing
  school_trip excursion
  term semester
  magazine newspaper journal
  translate interpreter
`;
