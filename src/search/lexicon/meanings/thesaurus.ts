/** What people say, and what is written for it: spoken and formal words for the same thing. English alone. */
export const thesaurus = `
  get obtain receive acquire had
  ask_for request demand apply
  find_out learn discover hear told know
  put_off postpone delay defer later
  look_into investigate examine inspect check
  turn_up appear arrive show_up come
  show_up come attend appear
  carry_out perform do execute
  cut_back reduce cut
  deal_with handle treat manage process
  fill_in fill_out complete enter
  give_up stop surrender abandon renounce
  hold_up delay detain
  hand_over give transfer pass deliver
  hand_out distribute give issue
  pay_back repay return refund reimburse settle
  pay_for cover bear cost charge
  out_of_pocket bear yourself own excess
  run_out expire lapse finish end exhausted
  run_late late delay delayed
  sort_out resolve settle arrange solve
  speed_up accelerate faster express
  take_off remove deduct leave
  take_part participate join attend
  take_over succeed successor assume carry_over transfer
  carry_over transfer keep next_year
  throw_up vomit vomiting sick diarrhoea
  try_on fit wear tried
  try_out test sample trial
  turn_off switch_off shut disable
  turn_on switch_on enable
  turn_down refuse reject lower
  use_up consume exhaust
  wake_up awake
  warm_up heat
  wear_out worn wear
  work_out solve exercise train
  write_down note record
  back_out withdraw cancel
  pull_out withdraw cancel
  drop_out withdraw leave cancel
  fall_through cancelled cancel
  called_off cancelled cancel dropped
  break_up separate divorce withdraw
  break_in burglary theft
  bring_along take companion accompany
  come_along accompany companion join
  come_with accompany companion include
  check_in arrival register
  clean_up clean tidy remove
  clear_out empty vacate remove
  close_down close terminate
  cool_down cool
  count_on rely
  cover_for replace substitute
  cross_out delete
  cut_out stop remove
  drop_by visit come
  drop_off return deliver hand leave bring
  eat_out restaurant
  fall_out loose lost
  fall_ill sick illness ill
  feel_like want wish
  fit_in suitable size
  get_better recover improve heal
  get_rid dispose discard remove
  get_off leave alight
  get_on board
  get_lost lost missing
  get_stuck stuck trapped
  get_along agree
  get_into enter access
  can't_get_in locked access login enter
  get_up rise
  get_through reach contact
  give_back return
  go_away leave disappear
  go_back return
  go_down fall decrease
  go_off expire ring alarm
  go_on continue
  go_out leave exit
  go_up rise increase
  go_wrong fail error problem
  grow_up adult
  hang_up end
  hear_back answer reply result
  hurry_up express fast
  keep_warm heat warm
  kick_out expel terminate eviction evict exclude
  lay_off dismiss
  leave_behind lost forgotten left
  leave_out omit exclude
  let_in admit admission enter entry admitted
  let_out rent release
  lie_down rest
  live_with share
  log_off sign_out
  lock_out locked blocked shut
  locked_out blocked locked shut key
  look_after care supervise
  look_around visit viewing
  look_for search seek
  look_up search find
  make_sure ensure check
  make_it come attend reach arrive
  mess_up mistake error
  mix_up confuse wrong
  open_up open
  own_up admit
  pass_away die death
  pass_on forward transfer
  pick_someone_up collect fetch
  plug_in connect socket
  point_out tell
  pop_in visit
  print_out print
  put_away store pack
  put_in insert enter
  put_on wear
  put_together assemble
  put_up erect accommodate
  ring_up call phone
  rule_out exclude
  run_away escape flee fled
  drove_off fled flee hit_and_run
  send_off dispatch
  set_off leave depart
  settle_in settle familiar
  share_with joint
  sell_out full
  sit_down seat
  sleep_in late
  slow_down slow
  stand_in substitute
  stay_away absent
  stay_up late
  stop_by visit
  switch_over change
  tear_down demolish
  tidy_up clean
  top_up recharge add credit
  trade_in exchange credit used
  pay_in deposit
  move_in arrival handover
  move_out leave handover notice
  hand_back return
  wait_for wait
  wash_up dishes
  wipe_out erase
  worn_out worn wear
  brand_new new unused
  second_hand used refurbished
  as_good_as_new refurbished
  on_time punctual
  in_time punctual before
  at_short_notice urgent late
  last_minute late short before
  last_moment late before
  from_now ahead
  in_the_meantime meanwhile temporary
  for_good permanent end
  for_a_while temporary pause
  at_the_moment currently present
  these_days currently
  so_far until
  how_soon time days
  how_fast speed time within
  how_far distance kilometres
  how_big size large
  how_tall height
  how_heavy weight
  how_old age years
  what_age age years old
  how_many number
  how_expensive price cost
  by_when deadline until latest
  what_time opening hours
  what_day date
  which_day date day
  who_to contact person
  who_do_i contact call report
  own_money yourself self
  out_of_order broken defective
  out_of_stock available sold
  out_of_work unemployed jobseeker
  not_working broken fault defective
  won't_start battery breakdown start
  won't_turn_on power start
  doesn't_start battery start
  stopped_working fail defect broken
  went_missing lost
  went_wrong error problem
  fell_down accident
  fell_off loose
  burst burst_pipe leak
  flooded flood water
  frozen frost
  jammed stuck blocked
  clogged blocked blockage
  blocked blockage stuck clogged
  sharpen sharp edge grind
  polish shine
  chew gnaw bite damage
  spill spilled stain
  ruin ruined destroy destroyed damage spoil
  destroy destroyed damage
  smash shatter shattered broken glass
  crack cracked break glass
  bend bent
  squeeze press
  press push button
  twist turn
  screw unscrew
  tie bind
  attach fasten fix fit
  detach remove
  lift raise carry heavy
  carry lift transport
  drag pull
  slip slide fall
  jog jogging running sport run
  sprint run
  walk stroll foot
  stroll walk
  hike walk
  travel journey go
  commute travel
  ride travel drive
  steer wheel drive
  wheel drive driving steering
  park garage
  crash collide
  eyesight vision eye
  glasses lens
  picture photo photograph image
  paper document form
  booklet guide brochure
  brochure leaflet flyer
  slip form note
  badge pass card
  pass card ticket
  permit licence permission
  licence permit
  theory written
  written paper theory text
  exam paper test
  flunk fail failed
  fail flunk
  repeat again retry
  pupil learner student
  instructor teacher trainer
  coach teach
  gear gears shift manual transmission
  automatic gear
  interpreter translator translation language
  mother mum mom mummy mama parent
  father dad daddy papa parent
  grandma grandmother granny nan relative
  grandpa grandfather relative
  aunt uncle cousin relative
  relative relatives family guest
  girlfriend partner spouse
  boyfriend partner spouse
  wife spouse partner
  husband spouse partner
  fiance fiancee
  kid child
  boy son child
  girl daughter child
  toddler child infant three_years
  teen teenager youth young
  guy man person
  lady woman
  folks people parents
  mate friend
  buddy friend companion
  pal friend
  flatmate roommate
  tourist holiday visitor guest
  traveller passenger
  shopper customer
  client customer patient
  member user
  newcomer new beginner
  donor donate give
  donate give donation
  tattoo inked ink piercing
  thin slim skinny weight weigh
  fat overweight weight
  dizzy faint
  empty_stomach eat meal fasting sober
  hungry meal eat
  nursing breastfeed breastfeeding
  breastfeeding nursing
  infant babe baby
  belly stomach
  ache pain
  sore pain
  cure heal treatment
  recover rest recovery
  rest recover relax
  relax calm rest
  tired exhausted
  cough mask cold
  mask cough
  paediatrician doctor
  therapist therapy
  referral prescription doctor
  prescription referral
  health_insurance insurer statutory fund
  billed charged invoice
  bill charge
  owe due debt
  debt owe arrears
  declined failed rejected refused
  bounced returned failed
  freeze block hold
  hold block keep reserve
  deduct withhold
  penalty fine fee charge
  speeding fine
  ticket fine
  excess deductible bear
  damage break harm
  wreck damage
  scratch damage
  rental hire vehicle
  hire rent rental
  lessee renter tenant
  lodger subtenant sublet
  sublet subletting let rent
  rent_out sublet let
  airbnb holiday_let portal sublet
  landlord housing owner
  apartment flat
  grill barbecue charcoal
  balcony terrace
  terrace balcony patio
  plumber craftsman repair
  electrician craftsman
  dripping drip leak tap
  mould damp
  radiator heater
  guy_above neighbour
  upstairs neighbour above floor
  music noise loud quiet
  party noise celebrate
  celebrate party wedding birthday
  ceremony wedding
  marry wedding
  bride wedding
  cake bake
  bake cake oven
  wine corkage bottle
  rain rains pour pours wet
  pour rain
  sun sunny
  umbrella rain
  guests count number
  headcount count number
  sleep room overnight bed
  lodging room
  dj music band
  band music
  decorate decoration candle
  vacation holiday
  break holiday closure pause
  summer_break closure holiday
  closure closed
  shut closed
  locked closed
  candy sweets chocolate
  chocolate sweets
  cookie biscuit
  lunch meal
  dinner meal
  recipe dish cook
  dish meal recipe
  choose pick select
  skip pause
  mouldy rotten bruised spoiled
  rotten bad bruised
  produce vegetable fruit
  tomato vegetable produce
  peanut nut
  nut peanut almond
  trace contain
  allergy trace nut
  safe risk
  cooling cool ice
  recruit bring_a_friend refer
  refer recommend friend
  referral_bonus refer friend
  tell_a_friend refer bring
  shipping carriage delivery postage
  carriage delivery shipping
  expensive cost price
  evening tonight night
  tonight evening
  show performance play
  play performance theatre
  actor performance cast
  curtain begin
  begin start
  begun started late
  interval pause break
  seat row stall
  hard_of_hearing hearing loop
  deaf hearing signed
  sign_language signed deaf
  coat cloakroom wardrobe
  rucksack bag backpack cloakroom
  dress_code wear clothes
  wear clothes clothing dress
  outfit wear
  cheap reduced discount
  homepage website site page
  website site page
  web_address domain name
  grab take
  deleted erased gone lost
  restore back recover snapshot
  recover restore
  accidentally mistake wrong
  visitor guest
  secure certificate encrypted
  typed entered typing
  hacked attacked compromised
  package plan tariff
  smaller lower down downgrade
  bigger larger upgrade
  terminal airport station
  shuttle minibus bus transfer
  minibus shuttle bus
  leave depart departure go
  delay late later
  lot parking space
  cameras filmed video surveillance
  watched filmed guarded monitored secure
  guard watch security
  jump-start battery
  flat_battery battery
  plate registration
  house home visit
  house_call home_visit
  at_her_house home visit
  same_person therapist
  shattered broken glass
  toilet water
  fell_into water wet
  mobile phone handset
  handset phone
  smartphone phone handset
  used old second-hand
  sell offer buy
  substitute replacement courtesy
  lend loan borrow
  spare extra replacement
  cleanup cleaning
  soiled dirty
  muddy dirty
  petrol_station fill fuel tank
  fill_up refuel tank fuel
  refuel fuel tank
  city town station place
  different other another
  border abroad cross
  region area zone district
  zone area
  neighbourhood district area
  suburb district
  countryside rural
  river stream
  path trail way
  trail path
  route way
  square place
  bench seat
  church chapel
  cemetery grave
  hospital clinic
  office desk bureau
  counter desk
  desk counter reception
  hall room
  lobby foyer entrance
  corridor hallway
  stairwell stairs
  attic loft
  cabin hut
  storage cellar store
  shelf rack
  rack stand
  lamp light
  clock watch
  bell ring
  doorbell ring bell
  letterbox mailbox
  mailbox letterbox inbox
  parcel_locker locker
  neighbour next_door
  porch door
  doorstep door
  gate barrier
  drill hole
  hole gap
  paint colour
  ventilation air
  grass lawn
  soil earth
  bee wasp
  insect pest
  lice nit
  noodle pasta
  honey jam
  lemonade soda
  pan pot
  loyal loyalty
  points bonus reward
  reward bonus
  lottery raffle
  survey questionnaire
  feedback review rating
  rating review
  board committee
  minutes notes
  fund reserve
  apprentice trainee
  intern internship
  freelancer self-employed
  self-employed freelance
  shift rota
  break pause
  payslip payroll
  payroll salary
  raise increase
  cv resume
  harassment bullying
`;
