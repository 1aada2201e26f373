/** A word before a colon, and kinds, parts or occasions of it, of which callers say one and documents the other. English alone. */
export const kinds = `
  pet animal: dog cat rabbit hamster horse bird parrot guinea puppy kitten snake
  footwear: shoe boot trainer sneaker sandal slipper
  furniture: sofa couch wardrobe cupboard table chair armchair desk bed mattress shelf bookcase dresser
  bulky: sofa couch wardrobe mattress furniture kayak bed carpet
  electrical electronic appliance device: television tv fridge computer laptop toaster kettle microwave phone printer lamp washing machine
  clothes clothing: jacket coat trousers shirt dress jumper sweater socks shoe hat gloves underwear
  vehicle: car van camper motorbike lorry truck caravan trailer scooter
  document paper: passport id licence certificate form receipt contract letter
  identification id: passport licence
  meal food: breakfast lunch dinner supper snack sandwich pizza soup salad dessert
  drink beverage: water coffee tea juice wine beer milk lemonade soda
  alcohol: wine beer whisky vodka cocktail champagne drunk
  fruit: apple banana orange grape kiwi tomato berry strawberry
  vegetable: potato carrot tomato onion cabbage lettuce salad
  organic compost: leftovers peel skin fruit vegetable grass leaves garden flowers
  dairy: milk cheese butter yoghurt cream
  nut: peanut almond hazelnut walnut allergy
  payment: card cash cheque transfer paypal instalment invoice wallet
  card: visa mastercard amex credit debit
  medicine medication: tablet pill painkiller antibiotic insulin inhaler drops cream ointment syrup
  painkiller: ibuprofen aspirin paracetamol acetaminophen
  thinner anticoagulant: warfarin aspirin apixaban blood
  emergency: accident fire bleeding unconscious ambulance police urgent poison
  injury: broken leg arm ankle wound sprain fracture burn
  illness sickness: flu cold fever cough covid vomiting infection
  family: wife husband child son daughter brother sister parent mother father
  partner: wife husband spouse girlfriend boyfriend fiance
  child: son daughter baby toddler teenager schoolchild kid
  student: university college school campus
  holiday: christmas easter new year
  gift: christmas birthday present wedding
  weather: rain snow storm wind hail thunderstorm heat frost
  force majeure: storm flood lightning strike war
  storm: thunderstorm lightning hurricane gale hail
  transport: bus train tram metro subway taxi ferry plane
  accommodation: hotel room hostel apartment guesthouse
  tool: hammer screwdriver drill spanner wrench saw knife
  knife: blade scissors sharp
  kitchen: oven fridge sink dishwasher cooker pan pot plate cup
  crockery: plate cup bowl dish
  internet: wifi router website online browser
  connection: internet line cable wifi network
  network: wifi internet router ssid
  speed: download upload bandwidth mbit fast slow
  password: login account code pin
  delivery: courier parcel driver shipment package postman
  expenses: hotel meal flight taxi mileage receipt trip
  reduced reduction discount concession: student pensioner senior child disabled unemployed trainee group
  insurance: policy premium claim cover accident theft
  claim: accident damage theft crash
  theft: burglar thief stolen
  proof: receipt invoice certificate ticket
  work: office colleague boss job employer
  sick: doctor note hospital ill
  leave: holiday vacation parental maternity sick
  birth: baby pregnant maternity newborn
  parental: baby maternity paternity newborn birth father mother
  termination notice cancellation: cancel quit leave end resign
  heating: radiator boiler heater pump warm
  building: house flat roof stairs lift cellar facade
  repair: broken damage crack tear hole fix
  waste: rubbish garbage bin recycling plastic paper glass
  packaging: carton bottle tin wrapper plastic box
  battery: charger power lithium
  light: lamp bulb led
  colour: red blue green yellow black white brown pink purple orange grey
  noise: loud music party quiet neighbour
  course class: lesson yoga pottery language spanish sewing dance spinning pilates aerobics workshop
  certificate: diploma exam attendance course
  exam: test grade certificate language
  doctor: dentist surgeon specialist nurse gp
  hygiene: soap shampoo toothbrush towel
  event: concert party wedding meeting conference festival
  sport: football tennis swimming running cycling basketball golf yoga
  swimming: pool swimsuit towel lifeguard
  garden: lawn grass plant flower tree hedge
  currency: dollar euro pound yen franc
  abroad: europe usa france germany spain italy england japan australia america india china
  europe: france germany spain italy portugal poland greece austria netherlands belgium sweden
  season: summer winter spring autumn
  summer: june july august
  winter: december january february
  spring: march april may
  autumn: september october november
  weekend: saturday sunday
  weekday: monday tuesday wednesday thursday friday
  time: hour minute day week month
  fault: error broken problem defect
  spare: part buckle pole battery screw
  seal: opened unopened broken
  age: year old minor adult child
  minor: child parent under
  contact: phone email address chat hotline
  customs: duty tax import border
  deposit: advance booking percent
  room: suite single double bed key
  view: sea window balcony
  luggage: suitcase backpack rucksack bag
  sedative: calm afraid anxiety tablet
  dental tooth: crown filling implant root canal molar braces wisdom
  attachment: file pdf image size
  server: location frankfurt data
  driving: car alcohol licence home
`;
