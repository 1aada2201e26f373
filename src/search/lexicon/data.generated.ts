// Written by .build/generate-lexicon.ts from src/search/lexicon/data; change those files and run `npm run generate`.
export const wordLists = {
  'generic-words/english': `able
accept
actually
add
afternoon
ago
agree
ahead
all
alone
along
already
also
although
always
amount
another
answer
anymore
anyway
apart
apparently
appear
apply
arrange
around
arrive
arrives
arrived
aside
available
away
awful
back
bad
badly
become
before
begin
behind
believe
belong
best
better
big
bit
bother
bought
bring
bringing
brought
busy
buy
call
called
came
care
case
catch
certain
certainly
chance
change
check
choose
clear
close
come
comes
coming
completely
consider
continue
correct
count
couple
course
cover
current
currently
cut
day
days
deal
decide
definitely
depend
describe
different
difficult
direct
directly
disappear
done
double
during
each
early
earlier
easy
either
else
end
enough
entire
especially
etc
evening
ever
exactly
example
except
exist
expect
extra
fact
fail
fall
far
fast
feel
few
final
finally
fine
finish
first
fit
five
fix
follow
following
four
free
frequent
friend
front
full
fully
further
future
gave
general
generally
give
gives
given
gone
good
got
great
guess
half
hand
handle
hang
hard
hate
head
hear
hold
hope
hour
hours
huge
idea
immediately
include
including
inside
instead
interested
involve
issue
item
job
join
keep
keeps
kept
last
late
lately
later
latest
leave
leaving
left
length
let
level
life
like
likely
line
list
listen
little
live
local
long
longer
look
lose
loud
love
low
main
major
manage
many
matter
maybe
meanwhile
mention
middle
mind
minute
minutes
miss
moment
month
months
more
morning
most
mostly
move
much
name
near
nearly
necessary
needed
never
new
next
nice
night
nobody
normal
normally
note
nothing
notice
now
number
obvious
occur
odd
offer
often
old
once
only
open
option
order
ordinary
original
others
otherwise
outside
over
own
particular
pass
past
people
per
perfect
perhaps
person
personal
pick
piece
place
plan
play
plenty
point
possible
prefer
present
pretty
previous
probably
problem
proper
properly
provide
pull
push
put
puts
quick
quite
rather
reach
read
real
reason
receive
recent
recently
regular
remain
remember
remove
result
return
right
round
run
same
save
second
see
seem
send
sense
serious
set
several
shall
short
show
shut
side
similar
simple
simply
since
single
sit
situation
six
small
smart
somebody
somewhere
soon
special
specific
spend
stand
start
started
state
stay
step
still
stop
straight
strange
stuff
such
sudden
suggest
suit
supply
sure
swap
talk
ten
term
thank
third
though
three
throw
time
times
today
together
tomorrow
tonight
too
top
total
touch
toward
town
true
turn
turned
twice
two
type
understand
unfortunately
unless
until
upon
usual
usually
various
wait
walk
wall
wanting
way
week
weeks
weekend
went
whatever
whenever
wherever
whether
while
whole
whoever
wish
word
work
working
works
worry
worse
worst
worth
wrong
year
years
yesterday
yours`,
  'generic-words/other-languages': `bekommen
bekomme
bekommt
brauche
brauchen
braucht
bringen
bringt
kommen
kommt
kam
komme
gekommen
bleiben
bleibt
stehen
steht
liegt
liegen
finden
finde
findet
nehmen
nehme
nimmt
genommen
gestern
heute
morgen
nachste
nachsten
letzte
letzten
neue
neuen
neuer
alte
alten
alter
ganze
ganz
gut
gute
guten
schlecht
gross
grosse
klein
kleine
viel
lange
spater
fruher
vorher
nachher
wieder
zuruck
weiter
einfach
richtig
falsch
wirklich
jemand
niemand
leute
tage
woche
wochen
monat
monate
jahr
jahre
stunden
ersten
zweite
zweimal
einmal
immer
nie
oft
manchmal
puedo
hago
hacerlo
necesito
llevar
traer
llego
llega
llegar
quedar
queda
dejar
dejo
pasar
pasa
poner
pongo
venir
viene
volver
vuelvo
tomar
tomo
ayer
hoy
ahora
luego
despues
pronto
siempre
nunca
veces
vez
dia
dias
semana
semanas
meses
ano
anos
hora
horas
primero
ultima
ultimo
nuevo
nueva
viejo
bueno
buena
mejor
peor
grande
pequeno
poco
mucho
mucha
gente
arriver
arrive
prendre
prends
prend
mettre
mets
viens
vient
partir
rester
reste
donner
donne
trouver
trouve
hier
demain
maintenant
toujours
jamais
souvent
fois
jour
jours
semaine
semaines
mois
annee
heure
heures
premier
derniere
dernier
nouveau
nouvelle
vieux
bon
bonne
mieux
mauvais
petit
petite
beaucoup
gens
arrivare
arriva
prendere
prendo
mettere
metto
venire
lasciare
lascio
trovare
trovo
ieri
oggi
domani
adesso
dopo
prima
sempre
mai
spesso
volta
volte
giorno
giorni
settimana
settimane
mese
mesi
nuovo
nuova
vecchio
buono
meglio
piccolo
molta
chegar
chego
chega
levar
trazer
ficar
fica
deixar
deixo
passar
passa
colocar
voltar
ontem
hoje
amanha
agora
depois
antes
vezes
primeiro
novo
nova
velho
bom
boa
melhor
pior
muita
pessoas
krijgen
krijg
krijgt
brengen
komen
komt
kom
blijven
blijft
staan
staat
liggen
ligt
vinden
vind
nemen
neem
neemt
gisteren
vandaag
nu
later
altijd
nooit
vaak
keer
dag
dagen
week
weken
maand
maanden
jaar
jaren
uur
eerste
laatste
nieuwe
oude
goed
goede
slecht
groot
grote
mensen`,
  'relations/kinds': `pet animal: dog cat rabbit hamster horse bird parrot guinea puppy kitten snake
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
driving: car alcohol licence home`,
  'relations/situations': `crash crashed collision: accident police triangle hazard claim damage witness photograph report
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
bag train: lost property luggage`,
  'stop-words/de': `der
die
das
den
dem
des
ein
eine
einen
einem
einer
eines
kein
keine
keinen
keiner
und
oder
aber
doch
denn
sondern
als
wie
wenn
weil
dass
ob
ich
du
er
sie
es
wir
ihr
mich
mir
dich
dir
ihn
ihm
uns
euch
ihnen
mein
meine
meinen
meinem
meiner
dein
deine
sein
seine
ihre
ihren
ihrem
ihrer
unser
unsere
euer
eure
sich
man
wer
wen
wem
was
wann
wo
woher
wohin
warum
wieso
weshalb
welche
welcher
welches
welchen
wieviel
viel
viele
mehr
sehr
auch
nur
noch
schon
bitte
danke
hallo
guten
tag
ja
nein
nicht
nichts
etwas
hier
da
dort
ist
sind
war
waren
bin
bist
seid
wird
werden
wurde
werde
wurden
haben
habe
hat
hatte
hatten
kann
konnen
kannst
konnte
konnten
muss
mussen
musste
soll
sollte
darf
durfen
durfte
will
wollen
wollte
mochte
mochten
mag
geht
gehen
gibt
geben
machen
macht
mache
in
im
ins
an
am
auf
aus
bei
beim
bis
durch
fur
gegen
mit
nach
ohne
seit
uber
um
unter
von
vom
vor
zu
zum
zur
zwischen
eigentlich
vielleicht
mal
so
dann
also
sagen
wissen
fragen
frage`,
  'stop-words/en': `a
an
the
this
that
these
those
there
here
it
its
itself
he
him
his
she
her
hers
they
them
their
theirs
we
us
our
ours
i
me
my
mine
myself
you
your
yours
yourself
one
ones
who
whom
whose
which
what
when
where
why
how
and
or
but
nor
so
if
then
else
than
as
at
by
for
from
in
into
of
off
on
onto
out
over
under
to
up
with
within
without
about
above
after
again
against
before
between
during
through
until
while
because
since
be
am
is
are
was
were
been
being
do
does
did
doing
done
have
has
had
having
can
could
may
might
must
shall
should
will
would
ought
not
no
yes
too
very
just
only
also
even
still
already
yet
some
any
each
every
all
both
either
neither
other
another
such
same
own
much
many
more
most
few
less
least
lot
lots
im
ive
id
ill
youre
youve
youd
theyre
weve
thats
whats
heres
theres
dont
doesnt
didnt
cant
couldnt
wont
wouldnt
isnt
arent
wasnt
werent
hasnt
havent
hadnt
shouldnt
hello
hi
hey
please
thanks
thank
sorry
okay
ok
well
um
uh
hmm
er
erm
like
actually
really
maybe
perhaps
anyway
tell
know
say
said
ask
asking
wonder
wondering
mean
means
want
wanted
wants
wanna
need
needs
gonna
got
get
gets
getting
going
go
goes
let
lets
give
question
something
anything
someone
anyone
everything
thing
things
stuff
kind
sort
way
possible
able
happen
happens
happened
find
figure
explain
help
try
trying
tried
make
makes
made
take
takes
put
use
using
see
look
looking
think
guess
supposed
suppose
happening
sure
quick
quickly
right
now`,
  'stop-words/es': `el
la
los
las
un
una
unos
unas
lo
al
del
de
y
e
o
u
pero
sino
que
quien
quienes
cual
cuales
cuando
donde
como
por
porque
para
con
sin
sobre
entre
hasta
desde
en
a
ante
si
no
ni
tambien
muy
mas
menos
ya
yo
tu
usted
ustedes
ella
ellos
ellas
nosotros
me
te
se
nos
le
les
mi
mis
su
sus
tus
este
esta
estos
estas
ese
esa
esos
esas
esto
eso
aquel
es
son
era
eran
soy
somos
ser
estar
estoy
estan
hay
he
ha
han
habia
tiene
tienen
tengo
tener
puede
pueden
puedo
podria
poder
debo
debe
hacer
hago
hace
quiero
quisiera
necesito
saber
decir
hola
gracias
favor
cuanto
cuanta
cuantos
cuantas
algo
alguien
algun
alguna`,
  'stop-words/fr': `le
la
les
un
une
des
du
de
d
l
et
ou
mais
donc
or
ni
car
que
qui
quoi
dont
quand
comment
pourquoi
combien
quel
quelle
quels
quelles
ce
cet
cette
ces
cela
ca
je
tu
il
elle
on
nous
vous
ils
elles
me
te
se
moi
toi
lui
leur
leurs
mon
ma
mes
ton
ta
tes
son
sa
ses
notre
nos
votre
vos
en
y
a
au
aux
avec
sans
sous
sur
dans
par
pour
chez
entre
vers
jusque
est
sont
suis
es
etes
etait
etaient
etre
ai
as
avons
avez
ont
avoir
peut
peuvent
peux
pouvez
puis
pourrais
dois
doit
devez
faut
faire
fais
fait
faites
veux
voudrais
besoin
ne
pas
plus
moins
tres
aussi
si
oui
non
bonjour
merci
plait
savoir
dire
quelque
chose
est-ce`,
  'stop-words/it': `il
lo
la
i
gli
le
un
uno
una
di
del
della
dei
delle
dello
degli
da
dal
dalla
in
nel
nella
nei
con
su
sul
sulla
per
tra
fra
a
al
alla
ai
alle
e
o
ma
che
chi
cui
quale
quali
quando
dove
come
perche
quanto
quanta
quanti
quante
se
non
no
si
anche
molto
piu
meno
io
tu
lui
lei
noi
voi
loro
mi
ti
ci
vi
mio
mia
miei
mie
tuo
suo
sua
suoi
nostro
vostro
questo
questa
questi
queste
quello
quella
sono
sei
siamo
siete
era
essere
ho
hai
ha
abbiamo
avete
hanno
avere
posso
puo
possono
potrei
devo
deve
fare
faccio
vorrei
voglio
bisogno
sapere
dire
ciao
buongiorno
grazie
favore`,
  'stop-words/ja': `の
は
が
を
に
で
と
も
や
へ
から
まで
より
か
ね
よ
です
ます
でした
ました
ません
する
した
して
ください
いる
ある
あり
なる
れる
られる
た
だ
な
て
この
その
あの
これ
それ
あれ
ここ
そこ
何
どこ
いつ
だれ
誰
どう
どの
どれ
どうやって
なぜ
こと
もの
ため
できる
でき
教え
いくら
ですか`,
  'stop-words/nl': `de
het
een
en
of
maar
want
dus
als
dan
dat
die
dit
deze
er
hier
daar
ik
jij
je
u
hij
zij
ze
wij
we
jullie
mij
me
hem
haar
ons
hun
mijn
jouw
uw
zijn
onze
wie
wat
wanneer
waar
waarom
hoe
welke
welk
hoeveel
is
ben
bent
was
waren
wordt
worden
heb
hebt
heeft
had
hebben
kan
kunnen
kunt
kon
moet
moeten
mag
mogen
wil
willen
zal
zullen
zou
zouden
niet
geen
wel
ook
nog
al
zeer
heel
van
in
op
aan
bij
met
naar
om
over
tot
uit
voor
door
zonder
tussen
tegen
te
ja
nee
hallo
graag
alstublieft
bedankt
doen
doe
weten
zeggen`,
  'stop-words/pt': `o
os
a
as
um
uma
uns
umas
de
do
da
dos
das
em
no
na
nos
nas
por
pelo
pela
para
com
sem
sobre
entre
ate
e
ou
mas
que
quem
qual
quais
quando
onde
como
porque
quanto
quanta
quantos
quantas
se
nao
sim
tambem
muito
mais
menos
eu
tu
ele
ela
voces
eles
elas
me
te
lhe
meu
minha
meus
minhas
seu
sua
seus
suas
nosso
este
esta
isto
esse
essa
isso
sao
era
ser
estar
estou
estao
ha
tem
tenho
ter
pode
podem
posso
poderia
devo
deve
fazer
faco
quero
queria
gostaria
preciso
saber
dizer
ola
obrigado
favor`,
  'stop-words/zh': `的
了
是
在
我
你
您
他
她
它
们
我们
你们
他们
这
那
这个
那个
有
没有
和
与
或
吗
呢
吧
啊
什么
怎么
怎样
如何
哪
哪里
哪个
谁
为什么
多少
几
可以
能
会
要
想
请
请问
就
都
也
很
不
把
被
给
对
到
从
上
下
里
个
是否
一下
知道`,
  'synsets/acts': `open opening opening_hours hours opening_times business_hours when_open | öffnungszeiten geöffnet offen öffnen öffnet | horario abierto abrir abre apertura | horaires ouvert ouvrir ouverture ouvre | orari orario aperto aprire apre apertura | horário aberto abrir abre funcionamento | openingstijden open geopend openen | 营业时间 开门 开放 几点 | 営業時間 開館 営業
close closed shut closing closing_time | geschlossen schließen schließt | cerrado cerrar cierra cierre | fermé fermer fermeture ferme | chiuso chiudere chiude chiusura | fechado fechar fecha fechamento | gesloten sluiten sluit dicht | 关门 关闭 | 閉館 休館 定休
day daily per_day | tag täglich tage | día días diario | jour jours journée | giorno giorni giornaliero | dia dias diário | dag dagen dagelijks | 天 每天 | 日 毎日
hour hours | stunde stunden uhr | hora horas | heure heures | ora ore | hora horas | uur uren | 小时 | 時間
minute | minute minuten | minuto minutos | minute minutes | minuto minuti | minuto minutos | minuut minuten | 分钟 | 分
week weekly per_week fortnight | woche wochen wöchentlich | semana semanas semanal | semaine semaines | settimana settimane | semana semanas semanal | week weken wekelijks | 周 星期 | 週間 週
month monthly per_month | monat monate monatlich | mes meses mensual | mois mensuel | mese mesi mensile | mês meses mensal | maand maanden maandelijks | 月 每月 | 月 毎月
year yearly annual annually per_year | jahr jahre jährlich | año años anual | an année ans annuel | anno anni annuale | ano anos anual | jaar jaren jaarlijks | 年 每年 | 年 毎年
monday | montag montags | lunes | lundi | lunedì | segunda segunda-feira | maandag | 星期一 周一 | 月曜
tuesday | dienstag dienstags | martes | mardi | martedì | terça terça-feira | dinsdag | 星期二 周二 | 火曜
wednesday | mittwoch mittwochs | miércoles | mercredi | mercoledì | quarta quarta-feira | woensdag | 星期三 周三 | 水曜
thursday | donnerstag donnerstags | jueves | jeudi | giovedì | quinta quinta-feira | donderdag | 星期四 周四 | 木曜
friday | freitag freitags | viernes | vendredi | venerdì | sexta sexta-feira | vrijdag | 星期五 周五 | 金曜
saturday | samstag samstags sonnabend | sábado sábados | samedi | sabato | sábado | zaterdag | 星期六 周六 | 土曜
sunday | sonntag sonntags | domingo domingos | dimanche | domenica | domingo | zondag | 星期日 周日 星期天 | 日曜
weekend saturday sunday | wochenende | fin_de_semana | week-end | fine_settimana weekend | fim_de_semana | weekend | 周末 | 週末 土日
weekday working_day business_day monday_to_friday workday | werktag werktage wochentag arbeitstag | laborable hábil | ouvrable ouvré | feriale lavorativo | útil dia_útil | werkdag doordeweeks | 工作日 | 平日 営業日
public_holiday bank_holiday holiday christmas easter new_year festive | feiertag feiertage weihnachten ostern | festivo festivos navidad | férié fériés noël pâques | festivo festività natale pasqua | feriado feriados natal | feestdag feestdagen kerst pasen | 节假日 假日 圣诞 春节 | 祝日 年末年始
morning am early | morgen vormittag früh morgens | mañana temprano | matin tôt | mattina mattino presto | manhã cedo | ochtend vroeg morgen | 早上 上午 早 | 朝 午前
noon midday lunchtime afternoon pm | mittag nachmittag | mediodía tarde | midi après-midi | mezzogiorno pomeriggio | meio-dia tarde | middag | 中午 下午 | 昼 正午 午後
evening night overnight midnight late tonight | abend nacht nachts mitternacht | noche tarde medianoche | soir nuit soirée minuit | sera notte mezzanotte | noite meia-noite | avond nacht 's_nachts middernacht | 晚上 夜里 夜间 | 夜 夜間 深夜
today same_day | heute | hoy | aujourd'hui | oggi | hoje | vandaag | 今天 | 今日 本日
tomorrow next_day | morgen | mañana | demain lendemain | domani | amanhã | morgen | 明天 | 明日 翌日
yesterday | gestern | ayer | hier | ieri | ontem | gisteren
spring summer autumn winter season | frühling sommer herbst winter | primavera verano otoño invierno temporada | printemps été automne hiver saison | primavera estate autunno inverno stagione | primavera verão outono inverno temporada | lente zomer herfst winter seizoen | 春 夏 秋 冬 季节 | 春 夏 秋 冬 季節
deadline time_limit latest last_time until by_when until_when last_date cut-off | frist spätestens bis_wann | plazo límite hasta_cuándo | délai limite jusqu'à | termine scadenza entro | prazo limite até_quando | termijn uiterlijk deadline | 截止 期限 最晚 | 締切 期限 まで
beginning start begin starts starting commence kick_off | beginn anfang starten beginnen | inicio empezar comienzo comenzar | début commencer | inizio iniziare cominciare | início começar | begin beginnen start | 开始 | 開始 始まる
finish end ends over finished complete | ende enden fertig | fin terminar final acabar | fin terminer finir | fine finire terminare | fim terminar final acabar | einde eindigen klaar | 结束 完成 | 終了 終わる
wait waiting waiting_time queue line how_soon | warten wartezeit | esperar espera | attendre attente | aspettare attesa attendere | esperar espera | wachten wachttijd | 等待 等 | 待つ 待ち時間
in_advance beforehand ahead before prior early advance_notice how_early | vorher voraus vorab rechtzeitig | antes antelación anticipación previo | avance avant préalable | anticipo prima | antecedência antes | vooraf vantevoren | 提前 | 事前 前日
frequency how_often every_time often regularly | wie_oft häufig | frecuencia cada_cuánto | fréquence souvent | frequenza spesso ogni | frequência | hoe_vaak vaak
allowed permitted permit permission allow ok_to okay_to may_i am_i_allowed can_i_use | erlaubt dürfen zulässig gestattet darf | permitido permitir puedo permite | autorisé permis permettre permise admis | permesso consentito permesse permettere ammesso | permitido permitir pode autorizado | toegestaan mogen mag | 允许 可以 | 可能 許可
forbid forbidden ban banned prohibit prohibited not_allowed no_entry must_not may_not not_permitted | verboten untersagt verbot nicht_erlaubt | prohibido prohibir no_se_permite | interdit interdire défense interdites | vietato proibito divieto | proibido proibir vedado | verboden niet_toegestaan verbod | 禁止 不准 不能 | 禁止
exclude excluded exception exempt except not_included not_covered without leave_out | ausgeschlossen ausgenommen ausnahme außer | excluido excepto excepción salvo | exclu sauf exception excepté | escluso eccetto eccezione tranne | excluído exceto exceção | uitgesloten behalve uitzondering | 除外 不包括 不含 | 除く 除外 例外
include included inclusive contain comes_with | inklusive enthalten einschließlich inbegriffen | incluido incluye incluir | inclus compris comprend | incluso compreso include | incluído inclui incluso | inbegrepen inclusief | 包含 包括 含 | 含む 込み
required need must mandatory compulsory obligatory necessary | erforderlich pflicht nötig notwendig muss | obligatorio necesario hace_falta requiere | obligatoire nécessaire requis faut | obbligatorio necessario serve richiesto | obrigatório necessário precisa exigido | verplicht nodig vereist | 必须 需要 | 必要 必須
possible feasible option available | möglich möglichkeit | posible posibilidad | possible possibilité | possibile possibilità | possível possibilidade | mogelijk mogelijkheid | 可能 | 可能
bring take_along bring_along take_with carry bring_with | mitbringen mitnehmen bringen | traer llevar | apporter emporter amener prendre | portare | trazer levar | meebrengen meenemen brengen | 带 携带 | 持参 持ち込み 持って
come visit get_to go arrive | kommen besuchen | venir visitar | venir visiter | venire visitare | vir visitar | komen bezoeken | 来 去 | 来る 行く
stay remain spend_the_night sleep_over overnight | bleiben übernachten übernachtung aufenthalt | quedarse alojarse estancia noche | rester séjour nuit | restare soggiorno pernottamento | ficar estadia hospedagem pernoite | blijven verblijf overnachten overnachting | 住 住宿 | 宿泊 泊まる
leave left depart go_away leaving | verlassen abreisen gehen | salir irse | partir quitter | partire lasciare | sair partir | verlaten vertrekken | 离开 | 出る
give hand_over hand give_away provide | geben übergeben | dar entregar | donner remettre | dare consegnare | dar entregar | geven
receive get received obtain arrive reach | erhalten bekommen empfangen | recibir obtener | recevoir obtenir | ricevere ottenere | receber obter | ontvangen krijgen | 收到 获得 | 受け取る もらう
report notify inform tell let_know announce notification declare | melden mitteilen meldung benachrichtigen informieren | informar avisar comunicar notificar | signaler informer prévenir avertir déclarer | segnalare informare avvisare comunicare | informar avisar comunicar notificar | melden doorgeven informeren | 报告 通知 告知 | 報告 連絡 知らせ 届け
ask inquire enquire question query enquiry | fragen frage anfrage | preguntar pregunta consulta | demander question | chiedere domanda | perguntar pergunta | vragen vraag | 询问 问 | 質問 尋ねる
answer reply respond response | antwort antworten | respuesta responder | réponse répondre | risposta rispondere | resposta responder | antwoord antwoorden | 回答 回复 | 回答 返事
help assist assistance support aid | hilfe helfen unterstützung | ayuda ayudar asistencia | aide aider assistance | aiuto aiutare assistenza | ajuda ajudar assistência | hulp helpen ondersteuning | 帮助 | 助け サポート 手伝
explain description explanation info | erklären
show display present reveal see view | zeigen anzeigen | mostrar ver | montrer afficher voir | mostrare vedere | mostrar ver | tonen laten_zien
use using usage utilise operate apply | benutzen verwenden nutzen gebrauch | usar utilizar uso | utiliser utilisation usage | usare utilizzare uso | usar utilizar uso | gebruiken gebruik | 使用 用 | 使う 利用 使用
put place insert lay set | stellen legen setzen | poner colocar | mettre placer poser | mettere porre | colocar pôr | zetten leggen plaatsen | 放 | 置く 入れる
remove removal take_off take_away take_out get_off | entfernen abnehmen | quitar retirar | enlever retirer | togliere rimuovere | retirar remover tirar | verwijderen weghalen | 去除 取下 | 取り外す 除去
keep retain hold_on hold preserve kept | behalten aufbewahren | guardar conservar mantener | garder conserver | tenere conservare | guardar manter | houden bewaren | 保留 保管 | 保管
send sent post mail forward posted | schicken senden | enviar mandar | envoyer | inviare mandare spedire | enviar mandar | sturen verzenden | 寄 发送 | 送る
accept take taken accepted accepting | annehmen akzeptieren nehmen | aceptar admitir | accepter prendre | accettare | aceitar | accepteren aannemen | 接受 | 受け付け 受付
refuse decline reject refusal turn_down denied rejected | ablehnen abgelehnt verweigern | rechazar rechazado negar | refuser refus rejeté | rifiutare rifiuto | recusar recusa negado | weigeren afwijzen geweigerd | 拒绝 | 拒否 断る
avoid refrain stay_away don't_do should_not shouldn't not_do | vermeiden | evitar | éviter | evitare | evitar | vermijden
share split together joint jointly both_of_us two_people | teilen gemeinsam zusammen | compartir juntos | partager ensemble | condividere insieme | compartilhar juntos | delen samen
choose select pick option | auswählen wählen | elegir escoger | choisir | scegliere | escolher | kiezen
grow increase raise rise extend bigger larger enlarge upgrade | erhöhen vergrößern | aumentar ampliar | augmenter agrandir | aumentare ampliare | aumentar ampliar | verhogen vergroten
large big huge great bulky tall high | groß größer hoch | grande alto | grand gros haut | grande alto | grande alto | groot hoog | 大 高 | 大きい 高い
small little tiny compact minor short | klein kleiner kurz | pequeño corto | petit court | piccolo corto | pequeno curto | klein kort | 小 | 小さい
long length how_long last lasts takes take duration | lang dauert dauer wie_lange | largo dura tarda cuánto_tiempo | long durée combien_de_temps dure | lungo dura quanto_tempo | longo dura quanto_tempo demora | lang duurt hoe_lang | 多久 长 多长时间 | 長い かかる どのくらい
height width depth dimension measure measurement size | höhe breite maße | altura medida ancho | hauteur largeur dimension | altezza larghezza misura | altura largura medida | hoogte breedte afmeting
weight weigh heavy kilo kilogram | gewicht schwer wiegen | peso pesar pesado | poids peser lourd | peso pesare pesante | peso pesar pesado | gewicht zwaar wegen | 重量 重 | 重さ 重量
number amount quantity count how_many | anzahl menge nummer zahl | número cantidad cuántos | nombre quantité numéro combien | numero quantità quanti | número quantidade quantos | aantal nummer hoeveel | 数量 号码 多少 | 数 番号 何名
first initial beginning original | erste erster | primero primera | premier première | primo prima | primeiro primeira | eerste | 第一 首次 | 最初 初回
last final latest previous | letzte letzter | último última | dernier dernière | ultimo ultima | último última | laatste | 最后 | 最後 最終
new brand-new fresh recent | neu neue | nuevo | nouveau neuf | nuovo | novo | nieuw | 新 | 新しい 新規
old aged former ancient built_in elderly | alt alte | viejo antiguo | vieux ancien | vecchio antico | velho antigo | oud | 旧 老 | 古い
different other another alternative else | anderer andere | otro diferente | autre différent | altro diverso | outro diferente | andere anders | 其他 别的 | 他の 別の
wrong incorrect false mistaken mistake by_mistake error | falsch irrtum versehentlich | equivocado incorrecto error | faux mauvais erreur | sbagliato errato errore | errado incorreto engano | verkeerd fout | 错 错误 | 間違い 誤り
difficult hard problem trouble | schwierig problem | difícil problema | difficile problème | difficile problema | difícil problema | moeilijk probleem
suitable right_for fit_for appropriate works_for work_in compatible | geeignet passend | adecuado apto | adapté convient | adatto idoneo | adequado apto | geschikt
smell odour odor stink reek stench | geruch riechen riecht stinkt | olor huele oler | odeur sent sentir | odore puzza | cheiro cheira | geur ruikt stank | 气味 味道 闻 | 匂い 臭い
fall fell drop dropped fallen | fallen gefallen | caer caído | tomber tombé | cadere caduto | cair caiu | vallen gevallen | 掉 摔 | 落ちる 落とす
break_off come_apart come_loose came_off fall_off tear torn ripped rip split open | reißen gerissen abgebrochen | romper roto rasgado | déchirer déchiré | strappare strappato | rasgar rasgado | scheuren gescheurd
stop halt cease give_up | stoppen aufhören anhalten | parar dejar detener | arrêter cesser | fermare smettere | parar deixar | stoppen ophouden | 停止 停 | 停止 止める
happen occur event incident take_place | passieren geschehen stattfinden | ocurrir pasar suceder | arriver passer lieu | succedere accadere | acontecer ocorrer | gebeuren plaatsvinden
service service_charge running_costs monthly_costs utilities
outside outdoors outdoor in_the_open exterior | draußen außen | fuera exterior | dehors extérieur | fuori esterno | fora exterior | buiten | 外面 室外 | 外 屋外
inside indoors indoor interior within | drinnen innen | dentro interior | dedans intérieur | dentro interno | dentro interior | binnen | 里面 室内 | 中 屋内
language english spanish french german speak translation | sprache englisch übersetzung | idioma lengua inglés | langue anglais traduction | lingua inglese traduzione | língua idioma inglês | taal engels vertaling | 语言 英语 | 言語 英語
name surname called full_name | name heißen | nombre apellido | nom prénom | nome cognome | nome sobrenome | naam | 姓名 名字 | 名前 氏名
age years_old how_old old_enough under over | alter jahre_alt | edad años | âge ans | età anni | idade anos | leeftijd jaar | 年龄 岁 | 年齢 歳
colour color coloured | farbe | color | couleur | colore | cor | kleur | 颜色 | 色
glass bottle jar | glas flasche | vidrio botella | verre bouteille | vetro bottiglia | vidro garrafa | glas fles | 玻璃 瓶 | ガラス 瓶
paper cardboard | papier pappe karton | papel cartón | papier carton | carta cartone | papel papelão | papier karton | 纸 | 紙
plastic | plastik kunststoff | plástico | plastique | plastica | plástico | plastic | 塑料 | プラスチック
metal iron steel | metall eisen stahl | metal hierro acero | métal fer acier | metallo ferro acciaio | metal ferro aço | metaal ijzer staal
advice advise recommend recommendation suggest tip | rat empfehlung empfehlen beratung | consejo recomendar | conseil recommander | consiglio consigliare | conselho recomendar | advies aanraden
check verify control inspect test | prüfen überprüfen kontrollieren | comprobar verificar revisar | vérifier contrôler | verificare controllare | verificar conferir | controleren nakijken | 检查 确认 | 確認 点検
maintenance servicing service upkeep overhaul inspection serviced | wartung instandhaltung | mantenimiento revisión | entretien maintenance révision | manutenzione revisione | manutenção revisão | onderhoud | 保养 维护 | 点検 メンテナンス
quality standard good condition
safe secure security protect protection | sicher sicherheit schutz | seguro seguridad protección | sûr sécurité protection | sicuro sicurezza protezione | seguro segurança proteção | veilig beveiliging
insufficient not_enough too_little lack shortage
speak talk conversation say
plan tariff package option rate | tarif plan paket | plan tarifa | forfait formule offre | piano tariffa | plano tarifa | abonnement tarief pakket | 套餐 | プラン`,
  'synsets/devices': `phone telephone call ring dial give_a_ring phone_number hotline call_you speak_to | telefon anrufen anruf telefonisch rufnummer | teléfono llamar llamada telefónico | téléphone appeler appel téléphoner | telefono chiamare chiamata telefonare | telefone ligar ligação chamada | telefoon bellen telefonisch | 电话 打电话 | 電話
mobile cellphone smartphone cell_phone cell handset | handy mobiltelefon smartphone | móvil celular | portable mobile | cellulare telefonino | celular telemóvel | mobiel mobieltje smartphone | 手机 | 携帯 スマホ
contact reach get_in_touch speak talk someone_to_talk | kontakt kontaktieren erreichen ansprechpartner | contacto contactar | contact contacter joindre | contatto contattare | contato contatar | contact bereiken | 联系 联系方式 | 連絡 問い合わせ
landline fixed_line phone_line dial_tone no_tone | festnetz | fijo línea | fixe ligne | fisso linea | fixo linha | vaste_lijn
text message sms chat | nachricht sms | mensaje sms | message sms | messaggio sms | mensagem sms | bericht sms | 短信 消息 | メッセージ
email e-mail mail inbox mailbox mails | e-mail mail postfach | correo email electrónico | e-mail courriel mail | email posta | e-mail email | e-mail mail | 邮箱 电子邮件 | メール
internet online web broadband connection website site | internet online netz webseite | internet en_línea web página | internet ligne site | internet online sito | internet online site | internet online website | 网络 上网 网站 互联网 | インターネット ネット サイト
wifi wi-fi wlan wireless radio hotspot | wlan wifi funk | wifi inalámbrico | wifi sans-fil | wifi wireless | wi-fi wifi | wifi draadloos | 无线 无线网 | 無線
router modem box hub | router modem | router módem | routeur box modem | router modem | roteador modem | router modem | 路由器 | ルーター
computer laptop notebook pc tablet machine | computer rechner laptop | ordenador computadora portátil | ordinateur portable | computer portatile | computador notebook | computer laptop | 电脑 | パソコン
device equipment appliance gadget machine unit apparatus | gerät geräte | aparato dispositivo equipo | appareil dispositif équipement | apparecchio dispositivo | aparelho dispositivo equipamento | apparaat toestel | 设备 机器 | 機器 装置 端末
screen display monitor | bildschirm display | pantalla | écran | schermo | tela | scherm | 屏幕 | 画面
battery rechargeable charger accumulator power_bank | akku batterie | batería pila | batterie pile | batteria pila | bateria pilha | batterij accu | 电池 | 電池 バッテリー
charger cable lead cord wire | ladegerät kabel | cargador cable | chargeur câble | caricatore cavo | carregador cabo | oplader kabel | 充电器 | 充電器
password passcode pin code secret passphrase access_code login | passwort kennwort pin code geheimzahl | contraseña clave pin código | mot_de_passe code pin | password pin codice | senha pin código palavra-passe | wachtwoord pincode code | 密码 | パスワード 暗証番号
forget forgot forgotten can't_remember don't_remember remember don't_know_anymore | vergessen | olvidar olvidado olvidé | oublier oublié | dimenticare dimenticato | esquecer esqueci | vergeten | 忘记 忘 | 忘れ
login log_in sign_in signin logon log_on access | anmelden einloggen login zugang | iniciar_sesión acceder entrar | connexion connecter identifier | accesso accedere login | entrar login acesso acessar | inloggen aanmelden | 登录 | ログイン
locked blocked block lock locked_out barred freeze suspended unlock deactivate | sperren gesperrt blockiert sperre | bloquear bloqueado bloqueada | bloquer bloqué | bloccare bloccato bloccata | bloquear bloqueado desbloquear | blokkeren geblokkeerd | 锁定 冻结 | ロック 停止
app application program programme software | app anwendung programm software | aplicación app programa | application appli logiciel | applicazione app programma | aplicativo app programa | app programma | 应用 软件 | アプリ ソフト
download install update installed upgrade | herunterladen installieren aktualisieren | descargar instalar actualizar | télécharger installer mettre_à_jour | scaricare installare aggiornare | baixar instalar atualizar | downloaden installeren bijwerken | 下载 安装 更新 | ダウンロード インストール 更新
delete erase remove wipe deleted | löschen entfernen | borrar eliminar | supprimer effacer | cancellare eliminare | excluir apagar | verwijderen wissen | 删除 | 削除
data information personal_data privacy details data_protection gdpr | daten datenschutz information | datos información privacidad | données informations confidentialité | dati informazioni privacy | dados informações privacidade | gegevens privacy informatie | 数据 信息 隐私 | データ 情報 個人情報
store keep save stored retain kept keeping storage archive | speichern aufbewahren behalten | guardar conservar almacenar | conserver garder stocker | conservare tenere | guardar armazenar manter | bewaren opslaan houden | 保存 保管 | 保管 保存
backup copy duplicate | sicherung kopie | copia respaldo | sauvegarde copie | copia backup | cópia backup | back-up kopie | 备份 复制 | バックアップ コピー
server host data_centre data_center hosting servers cloud | server rechenzentrum | servidor | serveur | server | servidor | server
down unavailable offline outage not_reachable interruption not_responding crash | ausfall störung unerreichbar | caído interrupción corte | indisponible panne coupure | interruzione disservizio | interrupção fora_do_ar | storing onbereikbaar
slow sluggish speed fast quick bandwidth rate | langsam schnell geschwindigkeit | lento rápido velocidad | lent rapide vitesse débit | lento veloce velocità | lento rápido velocidade | traag snel snelheid | 慢 速度 快 | 遅い 速い 速度
error fault mistake bug problem issue trouble wrong | fehler störung problem | error fallo problema | erreur défaut problème | errore problema guasto | erro problema falha | fout probleem storing | 错误 问题 | エラー 問題 不具合
reset restart reboot factory_settings turn_off_and_on switch_off_and_on start_again | neustart zurücksetzen | reiniciar restablecer | redémarrer réinitialiser | riavviare ripristinare | reiniciar redefinir | herstarten resetten | 重启 恢复 | 再起動 初期化 リセット
switch_on turn_on start power_on activate on | einschalten anschalten aktivieren starten | encender activar arrancar | allumer activer démarrer | accendere attivare avviare | ligar ativar | aanzetten activeren starten | 打开 开机 激活 | 電源 起動
switch_off turn_off shut_off off deactivate disable | ausschalten abschalten | apagar desactivar | éteindre désactiver | spegnere disattivare | desligar desativar | uitzetten uitschakelen | 关闭 关机 | 切る
setting settings configure configuration set_up setup option | einstellung einstellungen einrichten | ajuste configuración configurar | paramètre réglage configurer | impostazione impostazioni configurare | configuração configurar ajuste | instelling instellen
file attachment attach document upload attached | datei anhang dokument | archivo adjunto documento | fichier pièce_jointe document | file allegato documento | arquivo anexo documento | bestand bijlage document | 文件 附件 | ファイル 添付
key api_key token credential secret
retry try_again again attempt repeat redeliver
event webhook notification callback alert notify
send sending sent deliver delivery dispatch
user account_holder customer account profile | benutzer nutzer konto | usuario | utilisateur compte | utente | usuário | gebruiker | 用户 账户 | ユーザー 利用者
print printer printout paper | drucken drucker ausdrucken | imprimir impresora | imprimer imprimante | stampare stampante | imprimir impressora | printen printer afdrukken | 打印 | 印刷
television tv telly | fernseher fernsehen tv | televisión televisor tele | télévision télé téléviseur | televisione televisore tv | televisão tv | televisie tv | 电视 | テレビ
fridge refrigerator freezer | kühlschrank gefrierschrank | nevera frigorífico refrigerador | réfrigérateur frigo congélateur | frigorifero frigo congelatore | geladeira refrigerador | koelkast vriezer | 冰箱 | 冷蔵庫
oven stove cooker hob cooktop burner | herd ofen backofen kocher | horno cocina | four cuisinière réchaud | forno fornello | forno fogão | oven fornuis | 炉 烤箱 | コンロ オーブン
dishwasher | spülmaschine geschirrspüler | lavavajillas | lave-vaisselle | lavastoviglie | lava-louças | vaatwasser afwasmachine
canister cartridge cylinder bottle gas_bottle
filter nozzle jet valve pipe hose
manual instructions guide handbook instruction how_to_use | anleitung handbuch bedienungsanleitung | manual instrucciones | notice mode_d'emploi manuel | manuale istruzioni | manual instruções | handleiding gebruiksaanwijzing | 说明书 | 説明書 取扱
technician engineer electrician plumber mechanic repairman installer | techniker handwerker monteur | técnico | technicien | tecnico | técnico | monteur technicus | 技术员 工程师 | 技術者
camera cctv webcam
robot automatic automatically by_itself | automatisch | automático automáticamente | automatique automatiquement | automatico automaticamente | automático automaticamente | automatisch
wet water_damage water fell_in_water got_wet waterproof dropped_in_water soaked | nass wasserschaden wasserdicht | mojado agua impermeable | mouillé eau étanche | bagnato acqua impermeabile | molhado água | nat waterschade waterdicht | 进水 掉水 防水 水 | 水没 防水
hot overheat overheating heat_up warm boiling lukewarm | heiß warm überhitzt | caliente calor | chaud chaude | caldo calda | quente | heet warm | 热 发热 | 熱い 温かい
cold freezing frost chilled cool | kalt kälte frost | frío | froid | freddo | frio | koud kou | 冷 | 寒い 冷たい`,
  'synsets/english': `buy bought purchase
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
translate interpreter`,
  'synsets/matters': `watch view stream streaming series episode movie | anschauen schauen serie folge | ver mirar serie episodio | regarder série épisode | guardare serie episodio | assistir ver série episódio | kijken serie aflevering
profile account settings | profil | perfil | profil | profilo | perfil | profiel
advert ad advertisement commercial adverts | werbung anzeige | anuncio publicidad | publicité annonce | pubblicità annuncio | anúncio publicidade | reclame advertentie
vote ballot election polling | wahl stimmzettel abstimmung | voto elección papeleta | vote scrutin élection | voto elezione scheda | voto eleição | stem verkiezing stembiljet
birth_certificate certificate registry civil | geburtsurkunde standesamt urkunde | partida certificado registro | acte naissance état_civil mairie | atto nascita anagrafe certificato | certidão nascimento registro | akte geboorteakte burgerzaken
application office authority department public_office | behörde amt bürgeramt antrag | oficina administración trámite | administration guichet bureau démarche | ufficio sportello pratica | repartição secretaria | loket overheid instantie
residence resident registered inhabitant | wohnsitz einwohner meldung | residente residencia empadronado | résident habitant domicile | residente residenza | morador residente | bewoner inwoner
construction building_permit build site | bau baustelle baugenehmigung bauen | obra construcción licencia | travaux chantier construction | cantiere lavori costruzione | obra construção | bouw bouwvergunning
roadworks closed_road traffic jam | sperrung stau verkehr baustelle | tráfico atasco corte | circulation embouteillage travaux | traffico coda | trânsito engarrafamento | verkeer file
dog_licence dog_tax leash lead muzzle on_a_leash | leine leinenpflicht hundesteuer maulkorb | correa bozal | laisse muselière | guinzaglio museruola | guia coleira focinheira | lijn riem muilkorf
market stall fair flea_market | markt stand flohmarkt messe | mercado feria puesto | marché foire stand | mercato fiera bancarella | mercado feira | markt kraam beurs
funeral burial grave cremation | beerdigung bestattung grab | entierro funeral tumba | enterrement obsèques tombe | funerale sepoltura tomba | enterro funeral túmulo | begrafenis uitvaart graf
church service mass prayer | gottesdienst kirche messe | misa iglesia | messe église culte | messa chiesa | missa igreja | dienst kerk mis
garden_centre nursery plant seedling | gärtnerei pflanze pflanzen | vivero planta | pépinière plante | vivaio pianta | viveiro planta muda | tuincentrum plant
water_plant watering irrigate | gießen bewässern | regar riego | arroser arrosage | annaffiare innaffiare | regar | gieten water_geven
prune cut trim hedge | schneiden schnitt | podar poda | tailler taille | potare potatura | podar poda | snoeien
fertiliser compost manure | dünger | abono fertilizante | engrais | concime fertilizzante | adubo fertilizante | mest
harvest ripe pick_fruit | ernte reif | cosecha maduro | récolte mûr | raccolto maturo | colheita maduro | oogst rijp
hairdresser salon haircut barber cut | friseur haarschnitt | peluquería corte | coiffeur coupe | parrucchiere taglio | cabeleireiro corte | kapper knippen
dye_hair colour_hair highlights | färben strähnen | tinte mechas | coloration mèches | tinta colore | tintura mechas | verven kleuren
nails manicure pedicure | nägel maniküre | uñas manicura | ongles manucure | unghie manicure | unhas manicure | nagels manicure
makeup cosmetics beauty | schminke kosmetik | maquillaje cosmética | maquillage cosmétique | trucco cosmetica | maquiagem cosmético | make-up cosmetica
oil_change service mechanic inspection | ölwechsel inspektion wartung | cambio_de_aceite revisión | vidange révision | cambio_olio tagliando | troca_de_óleo revisão | olie beurt
winter_tyres tyre change_tyres | winterreifen reifenwechsel | neumáticos | pneus hiver | gomme invernali | pneus | winterbanden banden
brake brakes squeak | bremse bremsen | freno frenos | frein freins | freno freni | freio freios | rem remmen
engine motor | motor | motor | moteur | motore | motor | motor
roadworthiness mot inspection vehicle_test | tüv hauptuntersuchung | itv inspección | contrôle technique | revisione collaudo | vistoria inspeção | apk keuring
trial_drive test_drive | probefahrt | prueba | essai | prova | test_drive | proefrit
range battery_range how_far reach | reichweite | autonomía | autonomie | autonomia | autonomia | bereik actieradius
helmet protective | helm | casco | casque | casco | capacete | helm
lock padlock chain | schloss kette | candado cadena | cadenas antivol | lucchetto catena | cadeado corrente | slot ketting
print printing copies photo_print | druck drucken abzug | impresión imprimir copia | impression imprimer tirage | stampa stampare | impressão imprimir | drukken afdruk
design layout logo | entwurf gestaltung | diseño | conception graphisme | grafica progetto | design projeto | ontwerp
translation translator interpreter | übersetzung dolmetscher | traducción intérprete | traduction interprète | traduzione interprete | tradução intérprete | vertaling tolk
alarm burglar_alarm siren detector | alarm alarmanlage melder | alarma detector | alarme détecteur | allarme rilevatore | alarme detector | alarm melder
pest vermin rat mouse cockroach ants exterminator | schädling ungeziefer ratten mäuse | plaga ratas cucarachas | nuisible rats souris cafards | disinfestazione topi scarafaggi | praga ratos baratas | ongedierte ratten muizen
chimney sweep fireplace | kamin schornstein schornsteinfeger | chimenea | cheminée ramonage | camino canna | chaminé lareira | schoorsteen open_haard
drain clogged blocked_drain sewer | abfluss verstopft kanal | desagüe atasco | évacuation bouché canalisation | scarico intasato fogna | ralo entupido esgoto | afvoer verstopt riool
drinking_water tap_water lime hard | trinkwasser kalk härte | agua potable cal | eau potable calcaire | acqua potabile calcare | água potável | drinkwater kalk
heat_pump solar photovoltaic panel | wärmepumpe solar photovoltaik | bomba_de_calor solar placas | pompe_à_chaleur solaire panneaux | pompa_di_calore solare fotovoltaico | bomba_de_calor solar painel | warmtepomp zonnepanelen
insulation insulate draught | dämmung dämmen | aislamiento | isolation isoler | isolamento coibentazione | isolamento | isolatie isoleren
storey_flat viewing view_flat visit_flat | besichtigung wohnungsbesichtigung | visita | visite | visita | visita | bezichtiging
mortgage home_loan property_loan | hypothek baufinanzierung | hipoteca | hypothèque prêt immobilier | mutuo | financiamento imobiliário | hypotheek
estate_agent broker commission | makler provision | inmobiliaria comisión | agence immobilière commission | agenzia immobiliare provvigione | imobiliária corretor comissão | makelaar courtage
inheritance heir will testament inherit | erbe testament erbschaft | herencia testamento heredero | héritage testament héritier | eredità testamento erede | herança testamento herdeiro | erfenis testament erfgenaam
notary deed | notar urkunde | notario escritura | notaire acte | notaio atto | cartório escritura tabelião | notaris akte
court lawsuit sue claim trial | gericht klage klagen prozess | juicio demanda tribunal | tribunal procès plainte | tribunale causa | processo tribunal ação | rechtbank rechtszaak
tax_return declaration taxes | steuererklärung | declaración renta | déclaration impôts | dichiarazione redditi | declaração imposto renda | belastingaangifte aangifte
self-employed freelance business trade | selbstständig gewerbe freiberufler | autónomo negocio | indépendant auto-entrepreneur | autonomo partita | autônomo empresa | zzp zelfstandig ondernemer
maternity_leave parental_leave paternity | elternzeit mutterschutz elterngeld | baja maternidad paternidad | congé maternité paternité parental | congedo maternità paternità | licença maternidade paternidade | zwangerschapsverlof ouderschapsverlof
sick_note doctor's_note medical_certificate | krankmeldung attest krankschreibung | baja médica justificante | arrêt maladie certificat médical | certificato medico malattia | atestado médico | ziekmelding doktersbriefje
working_hours shift flexitime part-time full-time | arbeitszeit schicht gleitzeit teilzeit vollzeit | jornada turno horario | horaires temps partiel équipe | orario turno part-time | expediente turno jornada | werktijd dienst deeltijd
canteen lunch cafeteria | kantine mensa | comedor cantina | cantine | mensa | refeitório cantina | kantine
bonus christmas_bonus extra_pay | bonus prämie weihnachtsgeld | prima paga_extra | prime treizième | premio tredicesima | bônus décimo_terceiro | bonus toeslag
application job_application cv interview | bewerbung lebenslauf vorstellungsgespräch | candidatura currículum entrevista | candidature cv entretien | candidatura curriculum colloquio | candidatura currículo entrevista | sollicitatie cv gesprek
internship trainee apprenticeship | praktikum ausbildung lehre | prácticas aprendiz | stage apprentissage | tirocinio stage apprendistato | estágio aprendiz | stage leerling
kindergarten_place childcare_place | kitaplatz betreuung | plaza guardería | place crèche | posto asilo | vaga creche | opvang plek
school_enrolment start_school first_grade | einschulung schulanmeldung | matrícula escolar | inscription scolaire | iscrizione scolastica | matrícula escolar | inschrijving school
report_card grades marks | zeugnis noten | notas boletín | bulletin notes | pagella voti | boletim notas | rapport cijfers
homework exercise task | hausaufgaben aufgabe | deberes tarea | devoirs exercice | compiti esercizio | lição tarefa dever | huiswerk opdracht
school_bus school_transport | schulbus | autobús escolar | ramassage scolaire | scuolabus | transporte escolar | schoolbus
summer_camp holiday_camp | ferienlager ferienfreizeit | campamento | colonie | campo_estivo | acampamento colônia | zomerkamp
level beginner advanced intermediate | niveau stufe anfänger fortgeschrittene | nivel principiante avanzado | niveau débutant avancé | livello principiante avanzato | nível iniciante avançado | niveau beginner gevorderd
placement_test level_test | einstufungstest | prueba de_nivel | test de_niveau | test di_livello | teste de_nível | instaptoets niveautoets
material textbook course_book | lehrbuch material | libro material | manuel matériel | libro materiale | apostila material | lesboek materiaal
instrument piano guitar violin | instrument klavier gitarre | instrumento piano guitarra | instrument piano guitare | strumento pianoforte chitarra | instrumento piano violão | instrument piano gitaar
choir sing singing | chor singen | coro cantar | chorale chanter | coro cantare | coral cantar | koor zingen
dance dancing ballet | tanz tanzen tanzkurs | baile bailar danza | danse danser | danza ballare ballo | dança dançar | dans dansen
football soccer match | fußball spiel | fútbol partido | football match | calcio partita | futebol jogo | voetbal wedstrijd
tennis court racket | tennis platz schläger | tenis pista raqueta | tennis terrain raquette | tennis campo racchetta | tênis quadra raquete | tennis baan racket
horse riding ride | reiten reitstunde pferd | montar equitación caballo | équitation cheval monter | equitazione cavallo cavalcare | equitação cavalo montar | paardrijden paard
climbing boulder climb | klettern bouldern | escalada escalar | escalade grimper | arrampicata arrampicare | escalada escalar | klimmen boulderen
ski skiing snow slope piste | ski skifahren piste | esquí pista nieve | ski piste neige | sci pista neve | esqui pista neve | skiën piste sneeuw
boat canoe kayak row | boot kanu kajak | barca canoa kayak | bateau canoë kayak | barca canoa kayak | barco canoa caiaque | boot kano kajak
fishing fish rod angling | angeln fischen | pesca pescar | pêche pêcher | pesca pescare | pesca pescar | vissen
hunting shoot | jagd jagen | caza cazar | chasse chasser | caccia | caça | jacht
birthday_party children's_party celebrate party | kindergeburtstag feier feiern fest | fiesta cumpleaños celebrar | fête anniversaire | festa compleanno festeggiare | festa aniversário comemorar | feest kinderfeestje vieren
wedding_reception ceremony | trauung hochzeitsfeier | ceremonia banquete | cérémonie réception | cerimonia ricevimento | cerimônia recepção | ceremonie trouwen
catering caterer buffet | catering buffet | catering bufé | traiteur buffet | catering buffet | buffet bufê | catering buffet
hall_hire venue hire_room rent_hall function_room | saal raum mieten saalmiete | sala salón alquiler | salle location | sala affitto | salão aluguel | zaal zaalhuur
capacity seats how_many_people | plätze kapazität personen | capacidad aforo plazas | capacité places | capienza posti | capacidade lugares | capaciteit plaatsen
cloak_room coat_check | garderobe | guardarropa | vestiaire | guardaroba | chapelaria | garderobe
audio_guide headset | audioguide | audioguía | audioguide | audioguida | audioguia | audiotour
souvenir gift_shop shop | andenken souvenir laden | recuerdo tienda | souvenir boutique | ricordo negozio | lembrança loja | souvenir winkel
group_rate school_class group_booking | gruppenpreis schulklasse | grupo escolar | groupe scolaire | gruppo scolaresca | grupo escolar | groepsprijs schoolklas
zoo feeding animals | zoo tierpark fütterung | zoológico alimentar | zoo nourrir | zoo cibo | zoológico alimentar | dierentuin voeren
playground slide swing | spielplatz rutsche schaukel | parque columpio tobogán | jeux balançoire toboggan | parco_giochi altalena scivolo | parquinho balanço escorregador | speeltuin glijbaan schommel
picnic barbecue grill bbq | picknick grillen grill | barbacoa picnic | barbecue pique-nique griller | grigliata picnic barbecue | churrasco piquenique | barbecue picknick
campfire open_fire bonfire | lagerfeuer feuer | hoguera fogata | feu camp | falò fuoco | fogueira | kampvuur
pitch campsite_pitch plot | stellplatz platz | parcela | emplacement | piazzola | lote | plaats staanplaats
mooring berth harbour | liegeplatz hafen | amarre puerto | amarrage port | ormeggio porto | atracação porto | ligplaats haven
cabin berth bunk | kabine koje | camarote litera | cabine couchette | cabina cuccetta | cabine beliche | hut cabine
seat_reservation reserve_seat book_seat | sitzplatzreservierung reservierung | reserva asiento | réservation place | prenotazione posto | reserva assento | stoelreservering
hand_luggage carry-on cabin_bag | handgepäck | equipaje mano | bagage cabine | bagaglio mano | bagagem mão | handbagage
overweight excess_luggage extra_luggage | übergepäck | exceso | excédent | eccedenza | excesso | overgewicht
boarding_pass gate | bordkarte | embarque | embarquement | imbarco | embarque | instapkaart
missed_connection connecting_flight connection | anschluss umsteigen | conexión enlace | correspondance | coincidenza | conexão | aansluiting overstap
rebook change_flight | umbuchen umbuchung | cambiar | modifier échanger | cambiare | remarcar | omboeken
denied_boarding overbooked | überbuchung | sobreventa | surréservation | overbooking | overbooking | overboeking
compensation passenger_rights | entschädigung fahrgastrechte | indemnización | indemnisation | indennizzo | indenização | vergoeding
roaming abroad_data data_volume | roaming datenvolumen | roaming datos | itinérance données | roaming dati | roaming dados | roaming databundel
sim sim_card esim | sim simkarte | sim tarjeta | sim carte | sim scheda | chip sim | simkaart
porting keep_number number_transfer old_number | rufnummernmitnahme nummer | portabilidad número | portabilité numéro | portabilità numero | portabilidade número | nummerbehoud
top-up credit prepaid recharge | guthaben aufladen prepaid | recargar saldo | recharger crédit | ricaricare credito | recarregar crédito | opwaarderen tegoed
voicemail mailbox answering_machine | mailbox anrufbeantworter | buzón voz | messagerie répondeur | segreteria | caixa_postal | voicemail
coverage reception signal network no_signal | empfang netz signal | cobertura señal | couverture réseau signal | copertura segnale rete | cobertura sinal rede | bereik signaal netwerk
parental_control child_lock | jugendschutz kindersicherung | control parental | contrôle parental | controllo parentale | controle parental | ouderlijk kinderslot
two-factor second_factor verification_code authentication | zwei-faktor bestätigungscode | verificación código | vérification code authentification | verifica codice autenticazione | verificação código | verificatie code
username user_name login_name | benutzername | usuario | identifiant | utente | usuário | gebruikersnaam
delete_account close_account remove_account | konto löschen | eliminar cuenta | supprimer compte | eliminare account | excluir conta | account verwijderen
export data_export download_data | export exportieren | exportar | exporter | esportare | exportar | exporteren
integrate integration connect plugin | anbindung schnittstelle | integración | intégration | integrazione | integração | koppeling
api endpoint interface | schnittstelle | interfaz | interface | interfaccia | interface | koppeling
uptime availability sla | verfügbarkeit | disponibilidad | disponibilité | disponibilità | disponibilidade | beschikbaarheid
encryption encrypted | verschlüsselung verschlüsselt | cifrado | chiffrement chiffré | crittografia | criptografia | versleuteling
vegetarian_dish meatless | fleischlos vegetarisch | vegetariano | végétarien | vegetariano | vegetariano | vegetarisch
spicy hot_food | scharf | picante | épicé piquant | piccante | picante apimentado | pittig
reservation table book_table | tisch reservieren tischreservierung | mesa reservar | table réserver | tavolo prenotare | mesa reservar | tafel reserveren
high_chair children's_menu | hochstuhl kinderkarte | trona infantil | chaise_haute enfant | seggiolone bambini | cadeirão infantil | kinderstoel kindermenu
takeaway pick_up_food to_go | mitnehmen abholung | llevar | emporter | asporto | viagem retirada | afhalen meenemen
tip service_included | trinkgeld | propina | pourboire | mancia | gorjeta | fooi
leftovers doggy_bag | reste | sobras | restes | avanzi | sobras | restjes
bakery bread rolls pastry | bäckerei brot brötchen | panadería pan | boulangerie pain | panetteria pane | padaria pão | bakkerij brood
cake birthday_cake | torte kuchen | tarta pastel | gâteau | torta | bolo | taart
organic bio | bio | ecológico | biologique bio | biologico | orgânico | biologisch
best_before keep_fresh shelf_life store_food | haltbar haltbarkeit | caducidad conservar | conservation péremption | scadenza conservare | validade conservar | houdbaar houdbaarheid
defrost freeze thaw | auftauen einfrieren | descongelar congelar | décongeler congeler | scongelare congelare | descongelar congelar | ontdooien invriezen
donor blood_donation donate | blutspende spenden | donar sangre donante | don sang donneur | donare sangue donatore | doar sangue doador | bloed doneren
physiotherapy massage therapy | physiotherapie krankengymnastik | fisioterapia | kinésithérapie kiné | fisioterapia | fisioterapia | fysiotherapie
psychologist counselling mental therapy | psychologe beratung | psicólogo terapia | psychologue | psicologo | psicólogo | psycholoog
referral refer specialist | überweisung facharzt | volante derivación | orientation courrier | impegnativa | encaminhamento | verwijzing
health_card insurance_card | versichertenkarte gesundheitskarte | tarjeta sanitaria | carte vitale | tessera sanitaria | carteirinha | verzekeringspas
private_patient self_pay | privatpatient selbstzahler | privado particular | privé | privato | particular | particulier
x-ray scan mri imaging | röntgen mrt | radiografía resonancia | radio scanner irm | radiografia risonanza | raio-x ressonância | röntgenfoto scan
blood_test lab blood_sample | blutabnahme bluttest blut | análisis sangre | prise sang analyse | esame sangue prelievo | exame sangue | bloedonderzoek bloedprikken
blood_pressure | blutdruck | tensión presión | tension | pressione | pressão | bloeddruk
pregnancy_test ultrasound scan | ultraschall | ecografía | échographie | ecografia | ultrassom | echo
visiting_hours visit_patient | besuchszeit besuch | visitas | visites | visite | visitas | bezoekuur bezoektijd
discharge leave_hospital | entlassung | alta | sortie | dimissione | alta | ontslag
crutches walking_frame | krücken rollator | muletas andador | béquilles déambulateur | stampelle deambulatore | muletas andador | krukken rollator
glasses lenses eye_test | brille sehtest linsen | gafas lentillas | lunettes lentilles | occhiali lenti | óculos lentes | bril lenzen oogmeting
hearing_aid hearing_test | hörgerät hörtest | audífono | appareil auditif | apparecchio acustico | aparelho auditivo | hoortoestel
care nursing_home carer | pflege pflegeheim | cuidado residencia | soins maison_de_retraite | assistenza casa_di_riposo | cuidado asilo | zorg verpleeghuis
neuter sterilise castrate spay | kastrieren kastration sterilisation | esterilizar castrar | stériliser castrer | sterilizzare castrare | castrar esterilizar | castreren sterilisatie
microchip chip tag_pet | chip chippen | microchip chip | puce | microchip | microchip | chip chippen
deworm worms tick flea | entwurmen wurmkur zecken flöhe | desparasitar garrapata pulga | vermifuge tique puce | sverminare zecca pulci | vermífugo carrapato pulga | ontwormen teek vlo
stray found_animal shelter | tierheim | refugio protectora | refuge | canile rifugio | abrigo | asiel
adopt rehome | adoptieren vermitteln | adoptar | adopter | adottare | adotar | adopteren`,
  'synsets/money': `price cost fee charge rate | preis kosten gebühr kostet | precio coste costo tarifa cuesta vale | prix coût tarif frais coûte | prezzo costo tariffa costa | preço custo tarifa taxa valor custa | prijs kosten tarief kost | 价格 费用 多少钱 价钱 收费 | 料金 値段 価格 費用 いくら
how_much what_price price cost fee amount
pay paid payment settle | zahlen bezahlen zahlung bezahlung zahlt | pagar pago paga abonar | payer paiement régler paie | pagare pagamento paga | pagar pagamento paga | betalen betaling betaalt | 支付 付款 付钱 | 支払 支払い 払う
refund reimburse repay money_back get_back reimbursement repayment | erstatten erstattung rückerstattung zurückzahlen erstattet | reembolso reembolsar devolución devolver | rembourser remboursement remboursons | rimborso rimborsare | reembolso reembolsar devolução estorno | terugbetalen terugbetaling vergoeding | 退款 退费 | 返金 払い戻し
free gratis complimentary no_charge for_nothing without_charge no_cost | kostenlos gratis kostenfrei umsonst gebührenfrei | gratis gratuito gratuita | gratuit gratuitement gratuite | gratis gratuito gratuita | grátis gratuito gratuita | gratis kosteloos | 免费 | 無料
discount reduction reduced concession rebate cheaper less money_off special_offer deal | rabatt ermäßigung nachlass ermäßigt günstiger | descuento rebaja reducido | réduction remise rabais réduit | sconto riduzione ridotto | desconto redução | korting vermindering | 折扣 优惠 打折 | 割引
cheap inexpensive low_cost affordable budget | billig günstig preiswert | barato económico | bon_marché économique | economico conveniente | barato econômico | goedkoop
expensive dear costly pricey | teuer | caro | cher | caro | caro | duur
bill invoice | rechnung | factura recibo | facture | fattura bolletta | fatura conta nota | rekening factuur nota | 账单 发票 | 請求書
receipt proof_of_purchase till_slip voucher invoice | kassenbon quittung beleg kassenzettel | recibo ticket comprobante tique | reçu ticket justificatif | scontrino ricevuta | recibo comprovante nota | bon kassabon bonnetje | 发票 收据 小票 | レシート 領収書
cash money_notes coins | bargeld bar | efectivo metálico | espèces liquide | contanti | dinheiro espécie | contant | 现金 | 現金
money funds | geld | dinero | argent | soldi denaro | dinheiro | geld | 钱 | お金
credit_card debit_card bank_card card | karte kreditkarte bankkarte ec-karte | tarjeta | carte | carta | cartão | kaart pas bankpas | 卡 银行卡 信用卡 | カード
bank | bank | banco | banque | banca | banco | bank | 银行 | 銀行
account | konto | cuenta | compte | conto | conta | rekening | 账户 账号 | 口座 アカウント
transfer remit wire send_money | überweisung überweisen | transferencia transferir | virement virer | bonifico trasferimento | transferência transferir | overschrijving overmaken | 转账 汇款 | 振込 送金
withdraw withdrawal take_out_money take_out_cash atm cash_machine cashpoint cash | abheben abhebung geldautomat | sacar retirar cajero retirada | retirer retrait distributeur | prelevare prelievo bancomat | sacar saque caixa | opnemen geldopname pinautomaat | 取款 提现 | 引き出し
direct_debit standing_order debit | lastschrift abbuchung bankeinzug einzug | domiciliación adeudo | prélèvement | addebito domiciliazione | débito | incasso automatische
balance | saldo guthaben kontostand | saldo | solde | saldo | saldo | saldo
deposit security bond down_payment prepayment advance pay_in_advance upfront | kaution anzahlung pfand | fianza depósito señal | caution acompte dépôt arrhes | cauzione deposito caparra acconto | caução depósito sinal | borg waarborg aanbetaling | 押金 定金 | 保証金 敷金
instalment installment monthly_payment pay_monthly split_payment pay_later spread partial | rate raten ratenzahlung teilzahlung abstottern finanzierung | plazo plazos cuota cuotas fraccionar poco_a_poco | mensualité mensualités échelonner plusieurs_fois versements | rata rate rateizzare | parcela parcelas parcelar prestação | termijn termijnen gespreid | 分期 | 分割
loan credit mortgage borrow lend financing | kredit darlehen | préstamo crédito hipoteca | prêt crédit emprunt | prestito mutuo credito | empréstimo crédito | lening krediet hypotheek | 贷款 | ローン
interest | zinsen zins | interés intereses | intérêt intérêts | interesse interessi | juros | rente | 利息 利率 | 利息 金利
overdraft overdrawn | dispo überziehung dispokredit | descubierto | découvert | scoperto | cheque_especial | rood_staan
tax duty vat levy customs | steuer mehrwertsteuer abgabe | impuesto iva tasa | taxe impôt tva | tassa imposta iva | imposto taxa | belasting btw | 税 | 税 税金
customs duty import | zoll | aduana | douane | dogana | alfândega | douane | 海关 关税 | 関税
fine penalty ticket sanction | strafe bußgeld geldstrafe | multa sanción | amende contravention | multa sanzione | multa | boete | 罚款 | 罰金
surcharge supplement extra_charge additional extra | zuschlag aufpreis aufschlag zusätzlich | suplemento recargo | supplément majoration | supplemento sovrapprezzo | suplemento acréscimo taxa | toeslag
late_fee reminder dunning arrears overdue behind owe owing unpaid_bill haven't_paid not_paid due | mahnung mahngebühr rückstand verzug überfällig | recordatorio atraso impago moroso | rappel retard impayé | sollecito mora arretrato | atraso cobrança inadimplência | aanmaning achterstand
due payable deadline_to_pay | fällig | vencimiento vence | échéance dû exigible | scadenza | vencimento | verschuldigd vervaldatum
insurance insure insurer cover coverage policy insured protect protection | versicherung versichern versichert police versicherungsschutz | seguro asegurar póliza aseguradora | assurance assurer assuré police | assicurazione assicurare polizza | seguro segurar apólice seguradora | verzekering verzekeren polis verzekerd | 保险 | 保険
excess deductible own_share | selbstbeteiligung selbstbehalt eigenanteil | franquicia | franchise | franchigia | franquia | eigen_risico
premium contribution | beitrag prämie | prima cuota | prime cotisation | premio | prêmio | premie
claim compensation compensate damages indemnity payout | schadenersatz entschädigung anspruch schadensmeldung | indemnización compensación reclamación | indemnité indemnisation dédommagement sinistre | indennizzo risarcimento sinistro | indenização compensação sinistro | schadevergoeding schadeclaim | 赔偿 理赔 | 補償 賠償
liable liability responsible accountable who_pays | haftung haften haftet | responsabilidad responsable | responsabilité responsable | responsabilità responsabile | responsabilidade responsável | aansprakelijk aansprakelijkheid
subsidy grant government state funding benefit allowance financial_help | förderung zuschuss beihilfe staat | subvención ayuda subsidio | subvention aide allocation | contributo sussidio sovvenzione agevolazione | subsídio auxílio benefício | subsidie toeslag uitkering
currency foreign exchange_rate conversion | währung wechselkurs | moneda divisa | devise monnaie | valuta | moeda câmbio | valuta wisselkoers
voucher coupon gift_card gift_certificate promo_code discount_code token | gutschein gutscheinkarte | vale cupón bono tarjeta_regalo | bon chèque-cadeau bon_d'achat | buono voucher | vale cupom | cadeaubon tegoedbon bon | 优惠券 礼品卡 | クーポン ギフト券
save savings | sparen | ahorrar ahorro | économiser épargne | risparmiare risparmio | poupar economizar poupança | sparen
budget afford
tip gratuity | trinkgeld | propina | pourboire | mancia | gorjeta | fooi
fraud scam scammer swindle con_artist phishing trick fake suspicious | betrug betrüger abzocke | estafa fraude timo | fraude arnaque escroquerie | truffa frode | golpe fraude | fraude oplichting | 诈骗 骗子 | 詐欺
estimate quote quotation offer cost_estimate | kostenvoranschlag angebot schätzung | presupuesto oferta | devis offre | preventivo offerta | orçamento oferta | offerte prijsopgave | 报价 | 見積
salary wage wages earnings pay income | gehalt lohn verdienst einkommen | salario sueldo ingresos nómina | salaire paie revenu | stipendio salario reddito | salário renda | salaris loon inkomen | 工资 薪水 | 給料
price_increase raise_price prices_up rise increase go_up | preiserhöhung erhöhung steigen | subida aumento subir | augmentation hausse augmenter | aumento rincaro aumentare | aumento reajuste aumentar | prijsverhoging verhoging stijgen | 涨价 | 値上げ
lower decrease drop cut go_down reduce | senken verringern herabsetzen reduzieren | bajar reducir disminuir | baisser diminuer réduire | abbassare ridurre diminuire | baixar reduzir diminuir | verlagen verminderen
maximum limit cap at_most ceiling up_to quota allowance most | höchstens maximal limit grenze obergrenze höchstbetrag | máximo límite tope | maximum limite plafond | massimo limite | máximo limite | maximum limiet hoogstens | 限额 上限 最多 | 上限 限度 最大
minimum at_least least | mindestens minimum mindest | mínimo | minimum moins | minimo almeno | mínimo | minimaal minstens | 最少 最低 | 最低
amount sum total | betrag summe | importe cantidad suma monto | montant somme | importo somma | quantia montante valor | bedrag | 金额 | 金額
half fifty_percent | hälfte halb | mitad medio | moitié demi | metà mezzo | metade meio | helft half
percent percentage share | prozent anteil | porcentaje | pourcentage pourcent | percentuale percento | porcentagem | procent
statement bank_statement | kontoauszug | extracto | relevé | estratto | extrato | afschrift
invest shares stock savings_plan | anlegen aktien | invertir acciones | investir actions | investire azioni | investir ações | beleggen aandelen
pension retirement retire retired pensioner old_age | rente pension ruhestand rentner | pensión jubilación jubilado | retraite pension retraité | pensione pensionato | aposentadoria aposentado reforma | pensioen gepensioneerd
bank_details iban account_number | bankverbindung kontonummer iban | cuenta iban | rib iban coordonnées | iban coordinate | iban dados_bancários | rekeningnummer iban
payment_method means_of_payment pay_by accept_cards cards | zahlungsart zahlungsmittel | forma_de_pago | moyen_de_paiement | metodo_di_pagamento | forma_de_pagamento | betaalmethode`,
  'synsets/people': `doctor physician gp medic practitioner specialist | arzt ärztin doktor hausarzt | médico doctor doctora | médecin docteur | medico dottore | médico doutor | arts dokter huisarts | 医生 大夫 | 医者 医師
dentist dental | zahnarzt zahnärztin | dentista dental | dentiste dentaire | dentista | dentista dentário | tandarts | 牙医 | 歯医者 歯科
tooth teeth molar | zahn zähne | diente dientes muela | dent dents | dente denti | dente dentes | tand tanden kies | 牙 牙齿 | 歯
whiten whitening brighter_smile bleach bleaching white_teeth whiter | bleaching aufhellen | blanqueamiento blanquear | blanchiment | sbiancamento | clareamento | bleken
pull pulled extract extraction removed take_out taken_out | ziehen gezogen | extracción extraer | extraction arracher | estrazione | extração | trekken
hospital clinic ward surgery practice infirmary | krankenhaus klinik praxis | hospital clínica consulta | hôpital clinique cabinet | ospedale clinica ambulatorio | hospital clínica | ziekenhuis kliniek praktijk | 医院 诊所 | 病院 クリニック
nurse carer caregiver | krankenschwester pfleger | enfermera enfermero | infirmière infirmier | infermiera infermiere | enfermeira enfermeiro | verpleegkundige
pharmacy chemist drugstore | apotheke | farmacia | pharmacie | farmacia | farmácia | apotheek | 药店 药房 | 薬局
medicine medication drug pill pills tablet tablets remedy meds | medikament arznei tablette tabletten medikamente | medicamento medicina pastilla pastillas | médicament médicaments comprimé cachet | medicina farmaco medicinale pastiglia compressa | remédio medicamento comprimido | medicijn medicijnen geneesmiddel pil pillen tablet | 药 药品 药物 | 薬 くすり
painkiller pain_relief paracetamol ibuprofen aspirin pain_killer | schmerzmittel | analgésico calmante | antidouleur antalgique | antidolorifico | analgésico | pijnstiller
prescription repeat_prescription prescribe | rezept verschreibung | receta | ordonnance | ricetta prescrizione | receita | recept herhaalrecept herhaalrecepten | 处方 | 処方箋 処方
pain hurt hurts ache painful sore aching | schmerz schmerzen weh tut_weh | dolor duele doler | douleur mal douloureux | dolore male fa_male | dor dói | pijn zeer | 疼 痛 | 痛い 痛み
ill sick sickness illness disease unwell poorly feel_bad not_well | krank krankheit erkrankt | enfermo enfermedad | malade maladie | malato malattia | doente doença | ziek ziekte | 生病 病 | 病気
fever temperature | fieber | fiebre | fièvre | febbre | febre | koorts | 发烧 | 熱 発熱
cold flu cough influenza | erkältung grippe husten | resfriado gripe tos | rhume grippe toux | raffreddore influenza tosse | resfriado gripe tosse | verkoudheid griep hoest | 感冒 咳嗽 | 風邪
allergy allergic intolerance tolerate intolerant allergies | allergie allergisch unverträglichkeit | alergia alérgico intolerancia | allergie allergique intolérance | allergia allergico intolleranza | alergia alérgico intolerância | allergie allergisch | 过敏 | アレルギー
gluten wheat celiac coeliac gluten-free | gluten weizen glutenfrei | gluten trigo celíaco | gluten blé cœliaque | glutine celiaco | glúten trigo celíaco | gluten tarwe
injury injured hurt wound broken_leg broke_my_leg broken_arm accident wounded fracture sprain | verletzung verletzt wunde | lesión herida herido | blessure blessé | ferita infortunio lesione ferito | lesão ferimento ferido | verwonding blessure gewond | 受伤 | 怪我 けが
blood bleed bleeding | blut blutung bluten | sangre sangrar | sang saigner saignement | sangue sanguinare | sangue sangrar | bloed bloeden | 血 出血 | 血 出血
operation surgery operate procedure surgical | operation eingriff op | operación cirugía intervención operar | opération chirurgie intervention | operazione intervento chirurgia | operação cirurgia | operatie ingreep | 手术 | 手術
anaesthetic sedation sedative anesthesia calm_down numb knock_out calming laughing_gas put_under put_to_sleep | narkose betäubung | anestesia sedación | anesthésie sédation | anestesia sedazione | anestesia sedação | verdoving narcose
afraid anxiety anxious scared fear frightened terrified nervous worried panic | angst ängstlich | miedo ansiedad | peur anxiété angoisse | paura ansia | medo ansiedade | bang angst
examination exam check checkup check-up screening inspect inspection | untersuchung kontrolle vorsorge | examen revisión chequeo | examen contrôle bilan | esame controllo visita | exame consulta check-up | onderzoek controle | 检查 体检 | 検査 診察
test result results findings lab outcome shows | befund ergebnis ergebnisse test labor | resultado resultados análisis | résultat résultats analyse | risultato risultati analisi referto | resultado resultados | uitslag resultaat | 结果 化验 | 結果
tissue biopsy sample specimen | gewebe probe biopsie | biopsia muestra | biopsie prélèvement | biopsia campione | biópsia amostra | weefsel biopsie
bowel gut intestine colon colonoscopy stomach tummy belly | darm magen bauch | intestino colon estómago | intestin côlon estomac ventre | intestino colon stomaco | intestino cólon estômago | darm maag buik | 肠 胃 | 腸 胃
vaccination vaccine vaccinate jab shot immunisation inoculation | impfung impfen | vacuna vacunar vacunación | vaccin vacciner vaccination | vaccino vaccinare vaccinazione | vacina vacinar vacinação | vaccinatie vaccin vaccineren inenting | 疫苗 接种 打针 | 予防接種 ワクチン
rabies | tollwut | rabia | rage | rabbia | raiva | hondsdolheid rabiës
treatment therapy treat care cure | behandlung therapie | tratamiento terapia | traitement thérapie soins | trattamento terapia cura | tratamento terapia | behandeling therapie | 治疗 | 治療
patient | patient | paciente | patient | paziente | paciente | patiënt | 病人 患者 | 患者
appointment slot meet consultation | termin sprechstunde | cita turno consulta | rendez-vous | appuntamento | consulta horário agendamento | afspraak | 预约 | 予約
emergency urgent urgently emergency_room ambulance crisis asap right_away immediately at_once quickly straight_away | notfall dringend notdienst notruf sofort | urgencia urgente emergencia | urgence urgent secours | emergenza urgente urgenza | emergência urgente urgência | spoed noodgeval dringend spoedgeval | 紧急 急诊 | 緊急 救急 急
pregnant pregnancy expecting expecting_a_baby having_a_baby have_a_baby maternity | schwanger schwangerschaft | embarazada embarazo | enceinte grossesse | incinta gravidanza | grávida gravidez | zwanger zwangerschap | 怀孕 孕妇 | 妊娠 妊婦
birth born newborn birthday delivery | geburt geboren geburtstag | nacimiento parto cumpleaños | naissance né anniversaire | nascita nato compleanno | nascimento parto aniversário | geboorte geboren verjaardag
diabetes diabetic insulin blood_sugar | diabetes diabetiker insulin zucker | diabetes diabético insulina | diabète diabétique insuline | diabete diabetico insulina | diabetes diabético insulina | diabetes insuline suikerziekte
fasting sober empty_stomach eat_before | nüchtern fasten | ayunas ayunar ayuno | jeun jeûner | digiuno | jejum | nuchter | 空腹 | 絶食
stitches sutures | fäden nähte | puntos | points fils | punti | pontos | hechtingen
eye eyes glasses sight vision optician | auge augen brille | ojo ojos gafas vista | œil yeux lunettes vue | occhio occhi occhiali vista | olho olhos óculos visão | oog ogen bril | 眼睛 眼镜 | 目 眼鏡
ear hearing | ohr hören gehör | oído oreja audición | oreille audition | orecchio udito | ouvido audição | oor gehoor
skin rash | haut ausschlag | piel | peau | pelle | pele | huid
hair haircut hairdresser barber | haar haare friseur | pelo cabello peluquería | cheveux coiffeur | capelli parrucchiere | cabelo cabeleireiro | haar kapper | 头发 理发 | 髪 美容院
back leg arm hand foot knee
poison toxic dangerous danger hazard hazardous unsafe risk risky safe safety | gefahr gefährlich giftig sicherheit | peligro peligroso tóxico seguridad | danger dangereux toxique sécurité | pericolo pericoloso tossico sicurezza | perigo perigoso tóxico segurança | gevaar gevaarlijk giftig veiligheid | 危险 安全 | 危険 安全
die dead death funeral deceased passed_away died | tod gestorben verstorben beerdigung | muerte muerto fallecido | mort décès décédé | morte morto decesso | morte morto falecimento | dood overleden
child children kid kids boy girl son daughter toddler minor under-age young teenager | kind kinder sohn tochter jugendliche minderjährig | niño niños hijo hija menor menores niña | enfant enfants fils fille mineur | bambino bambini figlio figlia minore ragazzi | criança crianças filho filha menor menores | kind kinderen zoon dochter minderjarig | 孩子 儿童 小孩 | 子供 子ども 小児
baby infant newborn | baby säugling | bebé | bébé nourrisson | neonato bebè | bebê | baby | 婴儿 宝宝 | 赤ちゃん 乳児
parent parents mother father mum mom dad parental | eltern mutter vater | padres madre padre | parents mère père | genitori madre padre | pais mãe pai responsável | ouders moeder vader | 父母 家长 | 親 両親
family relatives | familie | familia | famille | famiglia | família | gezin familie | 家庭 家人 | 家族
spouse husband wife partner married couple | ehepartner mann frau ehefrau partner | marido esposa pareja cónyuge | mari femme époux conjoint | marito moglie coniuge | marido esposa cônjuge | man vrouw echtgenoot partner | 夫妻 丈夫 妻子 | 夫 妻 夫婦
adult grown-up | erwachsene erwachsener | adulto adultos | adulte adultes | adulto adulti | adulto adultos | volwassene volwassenen | 成人 大人 | 大人 成人
elderly senior pensioner old_people old_age over_65 elder | senior senioren rentner | mayor jubilado | senior âgé retraité | anziano anziani pensionato | idoso aposentado | senior oudere ouderen bejaard | 老人 | 高齢者 シニア
student pupil at_university college trainee apprentice undergraduate | student studenten schüler | estudiante alumno | étudiant élève | studente studenti alunno | estudante aluno | student leerling | 学生 | 学生 生徒
person people adult individual man woman | person personen leute mensch | persona personas gente | personne personnes gens | persona persone gente | pessoa pessoas gente | persoon personen mensen | 人 | 人 方 名様
group party team several_people | gruppe gruppen | grupo | groupe | gruppo gruppi | grupo | groep groepen | 团体 | 団体
colleague coworker workmate
work job employment employed labour career occupation working_day working | arbeit job beruf arbeiten | trabajo empleo trabajar | travail emploi travailler | lavoro impiego lavorare | trabalho emprego trabalhar | werk baan werken | 工作 上班 | 仕事 勤務
employee worker staff personnel member_of_staff | mitarbeiter angestellte personal | empleado personal trabajador | employé personnel salarié | dipendente personale impiegato | funcionário empregado pessoal | werknemer medewerker personeel | 员工 职员 | 従業員 社員 職員
employer company firm business enterprise corporation | arbeitgeber firma unternehmen betrieb | empresa empleador compañía | employeur entreprise société | datore azienda impresa ditta | empresa empregador companhia | werkgever bedrijf | 公司 企业 | 会社 企業
boss manager supervisor team_lead line_manager head chief | chef vorgesetzter leiter | jefe gerente encargado | chef responsable directeur | capo responsabile direttore | chefe gerente | baas leidinggevende manager | 经理 老板 | 上司
home_office work_from_home remote remotely working_from_home telework from_my_flat job_from_home | homeoffice heimarbeit | teletrabajo | télétravail | telelavoro smart_working | teletrabalho home_office | thuiswerken | 远程 居家办公 | 在宅勤務
vacancy position job_opening hire recruit recruitment hiring career | stelle bewerbung stellenangebot | vacante empleo | poste recrutement candidature | posto assunzione candidatura | vaga | vacature sollicitatie | 招聘 职位 | 採用 求人
resign resignation quit leave_the_company hand_in_notice leaving give_notice notice | kündigen kündigung | dimitir renuncia | démissionner démission | dimettersi dimissioni | demitir-se demissão | ontslag opzeggen | 辞职 | 退職
dismiss dismissal fired sacked lay_off laid_off made_redundant redundancy | entlassen entlassung gekündigt | despedir despido | licencier licenciement | licenziare licenziamento | demitir demissão | ontslaan ontslag
unemployed jobless on_benefits out_of_work lost_my_job no_job benefits | arbeitslos | desempleado paro parado | chômage chômeur | disoccupato | desempregado | werkloos
overtime extra_hours | überstunden | horas_extra | supplémentaires | straordinari | horas_extras | overuren
expenses business_trip travel_costs costs | spesen dienstreise reisekosten | gastos dietas | frais mission déplacement | spese trasferta | despesas viagem_a_trabalho | onkosten dienstreis declaratie | 报销 出差 | 経費 出張
mileage kilometre_allowance per_mile
school class lesson classes lessons course training | schule unterricht kurs kurse klasse | escuela clase curso colegio | école cours classe | scuola lezione corso | escola aula curso | school les lessen cursus | 学校 课程 课 | 学校 授業 講座
teacher instructor tutor trainer lecturer | lehrer kursleiter trainer | profesor maestro instructor | professeur enseignant moniteur | insegnante professore istruttore | professor instrutor | leraar docent | 老师 教练 | 先生 講師
learn study studies teach | lernen studium studieren | aprender estudiar estudios | apprendre étudier études | imparare studiare studi | aprender estudar estudos | leren studeren studie | 学习 | 勉強 学ぶ
certificate diploma degree qualification attestation proof | zertifikat bescheinigung zeugnis diplom | certificado diploma título | certificat diplôme attestation | certificato diploma attestato | certificado diploma | certificaat diploma getuigschrift | 证书 | 証明書 修了証
grade mark exam pass_the_exam test | prüfung note klausur | examen nota | examen note épreuve | esame voto | prova exame nota | examen cijfer toets | 考试 | 試験
attend attendance take_part participate participant participation come attended show_up turn_up | teilnehmen teilnahme teilnehmer | asistir asistencia participar | participer participation assister | partecipare partecipazione frequentare | participar participação frequência | deelnemen deelname deelnemer | 参加 | 参加 出席
miss absent not_come fail_to_come can't_come cannot_come can't_make_it can't_attend couldn't_come no-show unable don't_show_up not_make_it | verpassen nicht_kommen absagen fernbleiben | faltar no_puedo_ir ausente | manquer absence | mancare assenza | faltar falta ausência | missen afwezig verhinderd
waiting_list fully_booked full sold_out no_places waitlist | warteliste ausgebucht voll | lista_de_espera completo | liste_d'attente complet | lista_d'attesa completo | lista_de_espera lotado | wachtlijst vol
nursery kindergarten daycare childcare crèche preschool | kita kindergarten krippe | guardería | crèche garderie maternelle | asilo nido | creche | kinderopvang crèche
food eat meal ate eaten eating dish dine lunch supper | essen speise mahlzeit | comida comer | repas manger nourriture plat | cibo mangiare pasto | comida comer refeição | eten maaltijd voedsel | 吃 食物 餐 饭 | 食事 食べる 食べ物
drink beverage drinks drank | getränk trinken getränke | bebida beber | boisson boire | bevanda bere | bebida beber | drank drinken drankje | 喝 饮料 | 飲み物 飲む
lunch midday_meal | mittagessen | almuerzo comida | déjeuner | pranzo | almoço | lunch middageten | 午餐 | 昼食
dinner supper evening_meal | abendessen | cena | dîner | cena | jantar | avondeten diner | 晚餐 | 夕食
restaurant cafe canteen eat_out bistro bar pub | restaurant lokal gaststätte | restaurante bar | restaurant brasserie | ristorante bar | restaurante bar | restaurant eetcafé | 餐厅 饭店 | レストラン 食堂
menu dish course | speisekarte gericht | menú carta plato | menu carte plat | menù piatto | cardápio prato | menukaart gerecht | 菜单 | メニュー
vegetarian vegan meat-free plant-based no_meat | vegetarisch vegan | vegetariano vegano | végétarien végétalien | vegetariano vegano | vegetariano vegano | vegetarisch veganistisch | 素食 | ベジタリアン 菜食
meat | fleisch | carne | viande | carne | carne | vlees | 肉 | 肉
bread | brot | pan | pain | pane | pão | brood | 面包 | パン
fruit vegetable vegetables peel potato apple | obst gemüse | fruta verdura | fruit légume fruits légumes | frutta verdura | fruta verdura legumes | fruit groente | 水果 蔬菜 | 果物 野菜
milk dairy cream | milch | leche | lait | latte | leite | melk | 牛奶 | 牛乳
coffee tea | kaffee tee | café té | café thé | caffè tè | café chá | koffie thee | 咖啡 茶 | コーヒー お茶
alcohol wine beer drunk liquor booze | alkohol wein bier | alcohol vino cerveza | alcool vin bière | alcol vino birra | álcool vinho cerveja | alcohol wijn bier | 酒 酒精 | 酒 アルコール
clothes clothing garment wear dress clothes outfit dress_code | kleidung kleider anziehen | ropa vestir vestimenta | vêtements vêtement habits | vestiti abbigliamento abiti | roupa roupas vestuário | kleding kleren | 衣服 服装 | 服 衣類 服装
shoe shoes boots footwear trainers sneakers sandals sole | schuh schuhe stiefel | zapato zapatos calzado botas | chaussure chaussures bottes | scarpa scarpe stivali | sapato sapatos calçado botas tênis | schoen schoenen laarzen | 鞋 鞋子 | 靴
jacket coat anorak parka | jacke mantel | chaqueta abrigo | veste manteau | giacca cappotto | jaqueta casaco | jas jack | 外套 夹克 | 上着 ジャケット
zip zipper fastener | reißverschluss | cremallera | fermeture éclair | cerniera lampo | zíper | rits
jewellery jewelry ring watch necklace | schmuck uhr ring | joya joyas reloj anillo | bijoux montre bague | gioielli orologio anello | joia relógio anel | sieraden horloge ring
wedding marriage marry bride | hochzeit heirat heiraten | boda matrimonio casarse | mariage marier | matrimonio nozze sposare | casamento casar | bruiloft huwelijk trouwen | 婚礼 结婚 | 結婚 結婚式
nappy nappies diaper diapers | windel windeln | pañal pañales | couche couches | pannolino pannolini | fralda fraldas | luier luiers | 尿布 | おむつ
vote election decide decision chosen chose pick choose choice selected | wählen wahl entscheidung abstimmung | votar elección decisión elegir | voter choix décision choisir | votare scelta decisione scegliere | votar escolha decisão escolher | stemmen keuze besluit kiezen
meeting assembly gathering conference | besprechung versammlung sitzung treffen | reunión asamblea junta | réunion assemblée | riunione assemblea | reunião assembleia | vergadering bijeenkomst | 会议 | 会議
successor replace replacement take_over takes_over looks_after look_after take_care
secretary chairman chair president chairperson committee board`,
  'synsets/places': `house home building residence property dwelling | haus zuhause gebäude heim | casa edificio hogar vivienda | maison domicile bâtiment immeuble logement | casa edificio abitazione | casa prédio edifício residência | huis thuis gebouw woning | 家 房子 住宅 | 家 住宅 建物
flat apartment condo | wohnung | piso apartamento departamento | appartement | appartamento | apartamento | appartement | 公寓 | マンション アパート
room bedroom | zimmer raum | habitación cuarto sala | chambre salle pièce | camera stanza sala | quarto sala | kamer zaal | 房间 客房 | 部屋 客室
key keys | schlüssel | llave | clé clef | chiave | chave | sleutel | 钥匙 | 鍵
door entrance entry gate enter main_door front_door | tür eingang tor zugang | puerta entrada acceso | porte entrée accès | porta ingresso entrata accesso | porta entrada acesso | deur ingang toegang | 入口 门 | 入口 玄関
exit way_out leave | ausgang | salida | sortie | uscita | saída | uitgang | 出口 | 出口
lift elevator | aufzug fahrstuhl lift | ascensor | ascenseur | ascensore | elevador | lift | 电梯 | エレベーター
stairs steps staircase stairwell | treppe treppenhaus stufen | escalera | escalier | scala scale | escada | trap
floor storey level ground_floor upstairs top_floor | stock stockwerk etage erdgeschoss geschoss | piso planta | étage | piano | andar | verdieping etage | 楼 层 | 階
window pane | fenster scheibe | ventana | fenêtre vitre | finestra | janela | raam | 窗户 | 窓
roof ceiling | dach | techo tejado | toit | tetto | telhado | dak
wall | wand mauer | pared muro | mur | muro parete | parede muro | muur wand
garden yard courtyard lawn backyard | garten hof innenhof | jardín patio | jardin cour | giardino cortile | jardim quintal pátio | tuin binnenplaats | 花园 院子 | 庭
kitchen | küche | cocina | cuisine | cucina | cozinha | keuken | 厨房 | 台所 キッチン
bathroom toilet restroom loo washroom lavatory wc | bad badezimmer toilette wc | baño aseo servicios | toilettes bain | bagno toilette | banheiro | badkamer toilet wc | 厕所 卫生间 洗手间 | トイレ 洗面所
shower bath | dusche duschen | ducha | douche | doccia | chuveiro ducha | douche | 淋浴 洗澡 | シャワー 風呂
cellar basement underground | keller | sótano | cave sous-sol | cantina seminterrato | porão subsolo | kelder
furniture | möbel | muebles mueble | meubles meuble mobilier | mobili mobile arredamento | móveis móvel | meubels meubel | 家具 | 家具
wardrobe closet cupboard cabinet | schrank kleiderschrank | armario | armoire placard | armadio | armário guarda-roupa | kast | 衣柜 | 棚
table desk | tisch schreibtisch | mesa escritorio | table bureau | tavolo scrivania | mesa | tafel bureau | 桌子 | 机 テーブル
chair seat armchair | stuhl sessel sitz | silla asiento sillón | chaise siège fauteuil | sedia posto poltrona | cadeira assento | stoel zitplaats | 椅子 座位 | 椅子 席 座席
bed mattress sleep | bett matratze schlafen | cama colchón dormir | lit matelas dormir | letto materasso dormire | cama colchão dormir | bed matras slapen | 床 床垫 | ベッド 布団
sofa couch settee | sofa couch | sofá | canapé sofa | divano | sofá | bank sofa | 沙发 | ソファ
carpet rug | teppich | alfombra moqueta | tapis moquette | tappeto | tapete | tapijt
towel linen bedding sheets | handtuch bettwäsche | toalla sábanas | serviette drap linge | asciugamano lenzuola biancheria | toalha roupa_de_cama | handdoek beddengoed | 毛巾 | タオル
laundry washing washing_machine wash_clothes launder | wäsche waschmaschine waschen | lavandería lavadora lavar | lessive laverie laver | lavanderia lavatrice lavare | lavanderia lavar | was wasmachine wassen | 洗衣 | 洗濯
clean cleaning dirty filthy cleaner dirt wash stain | reinigung reinigen putzen schmutzig sauber | limpiar limpieza sucio | nettoyer nettoyage sale propre | pulire pulizia sporco | limpar limpeza sujo | schoonmaken reinigen vuil schoon | 清洁 清洗 打扫 | 清掃 掃除
heating heat radiator heater warm | heizung heizen heizkörper wärme | calefacción radiador calor | chauffage radiateur chaleur | riscaldamento radiatore termosifone | aquecimento aquecedor radiador | verwarming radiator warmte | 暖气 供暖 | 暖房
boiler furnace water_heater hot_water | kessel heizkessel boiler | caldera | chaudière | caldaia | caldeira boiler | ketel boiler
air_conditioning air_con aircon cooling cool_down keep_cool cool | klimaanlage kühlung kühlen | aire_acondicionado refrigeración | climatisation clim | aria_condizionata climatizzatore | ar_condicionado | airco koeling | 空调 | エアコン 冷房
electricity power current mains energy electric kilowatt | strom elektrizität energie | electricidad luz corriente energía | électricité courant énergie | elettricità corrente luce energia | eletricidade luz energia | stroom elektriciteit energie | 电 电力 用电 | 電気 電力
power_cut blackout outage no_power electricity_off failure | stromausfall ausfall störung | apagón corte avería | coupure panne | blackout guasto interruzione | apagão queda interrupção | stroomstoring storing stroomuitval | 停电 | 停電
gas | gas | gas | gaz | gas | gás | gas | 煤气 天然气 | ガス
water | wasser | agua | eau | acqua | água | water | 水 | 水
leak leaking leakage drip burst | leck undicht tropft wasserschaden | fuga gotea escape | fuite fuit | perdita perde | vazamento vaza goteira | lek lekkage lekken
meter reading | zähler zählerstand ablesen | contador lectura | compteur relevé | contatore lettura | medidor leitura contador | meter meterstand | 电表 读数 | メーター
light lamp bulb lighting | licht lampe birne beleuchtung | luz lámpara bombilla | lumière lampe ampoule | luce lampada lampadina | luz lâmpada | licht lamp | 灯 | 電灯 照明
socket plug outlet power_point | steckdose stecker | enchufe | prise | presa spina | tomada | stopcontact stekker | 插座 | コンセント
rubbish garbage trash refuse waste litter junk | müll abfall | basura residuos | ordures déchets poubelle | rifiuti spazzatura immondizia | lixo resíduos | afval vuilnis | 垃圾 | ごみ ゴミ
bin can container wheelie_bin dustbin trash_can garbage_can | tonne mülltonne behälter container | contenedor cubo | bac conteneur | bidone cassonetto contenitore | lixeira recipiente contêiner | bak container vuilnisbak | 垃圾桶 | ごみ箱
recycle recycling reuse | recycling wertstoff | reciclar reciclaje | recycler recyclage tri | riciclare riciclo differenziata | reciclar reciclagem | recyclen recycling | 回收 | リサイクル
rent landlord tenant lease tenancy renter | miete vermieter mieter | alquiler casero inquilino | loyer propriétaire locataire | affitto proprietario inquilino | aluguel proprietário inquilino | huur verhuurder huurder | 房租 房东 | 家賃 大家
owner proprietor | eigentümer besitzer | propietario dueño | propriétaire | proprietario | proprietário dono | eigenaar
neighbour neighbor next_door | nachbar nachbarn | vecino vecinos | voisin voisins | vicino vicini | vizinho vizinhos | buurman buren | 邻居 | 隣人
noise loud noisy sound quiet racket decibel | lärm laut geräusch ruhe leise | ruido ruidoso silencio | bruit bruyant silence calme | rumore rumoroso silenzio | barulho ruído silêncio | lawaai geluid luid stil | 噪音 吵 | 騒音 静か
caretaker janitor concierge superintendent porter building_manager | hausmeister | conserje portero | gardien concierge | custode portiere | zelador porteiro | huismeester conciërge
move moving move_house relocate relocation moving_house move_out move_in new_flat moving_out moving_in | umzug umziehen einzug auszug umziehe | mudanza mudarse mudo | déménager déménagement emménager | trasloco traslocare trasferirsi | mudança mudar | verhuizen verhuizing | 搬家 | 引っ越し
address where_you_live location postcode | adresse anschrift | dirección domicilio | adresse | indirizzo | endereço | adres | 地址 | 住所
street road avenue lane | straße | calle | rue | via strada | rua | straat | 街 路 | 道 通り
town city municipality council village | stadt gemeinde dorf | ciudad pueblo municipio ayuntamiento | ville commune mairie village | città comune paese | cidade município | stad gemeente dorp | 城市 | 町 市
country abroad overseas foreign international other_countries outside_the_country worldwide | land ausland international | país extranjero internacional | pays étranger international | paese estero internazionale | país exterior estrangeiro internacional | land buitenland internationaal | 国外 海外 国家 | 海外 国
map directions how_to_get_there get_there reach how_do_i_get find_you located location where_are_you | anfahrt wegbeschreibung lage karte | llegar ubicación mapa cómo_llegar | accès venir plan itinéraire | arrivare mappa indicazioni raggiungere | chegar localização mapa | route bereiken kaart | 地图 怎么去 位置 | 地図 アクセス 行き方
hotel inn accommodation lodging guesthouse hostel | hotel unterkunft pension | hotel alojamiento hostal | hôtel hébergement auberge | hotel albergo alloggio | hotel hospedagem pousada | hotel accommodatie | 酒店 宾馆 旅馆 | ホテル 旅館 宿
check-in check_in arrival arrive arriving land landing | anreise check-in ankunft ankommen | llegada entrada registro check-in | arrivée check-in arriver | arrivo check-in arrivare | chegada check-in entrada | aankomst inchecken check-in | 入住 到达 抵达 | チェックイン 到着
check-out check_out departure depart leave_the_room vacate out_of_the_room leaving | abreise check-out abfahrt | salida check-out | départ check-out | partenza check-out | partida check-out saída | vertrek uitchecken check-out | 退房 离开 | チェックアウト 出発
reception front_desk desk receptionist | rezeption empfang | recepción | réception accueil | reception accoglienza | recepção | receptie balie | 前台 | フロント 受付
guest visitor visitors guests companion friend | gast gäste besucher begleitung | huésped invitado visitante | invité hôte visiteur client | ospite visitatore | hóspede convidado visitante | gast gasten bezoeker | 客人 访客 | 客 ゲスト
breakfast | frühstück | desayuno | petit-déjeuner déjeuner | colazione | café_da_manhã café desjejum | ontbijt | 早餐 | 朝食
luggage baggage suitcase bag bags case | gepäck koffer tasche | equipaje maleta bolsa | bagage bagages valise sac | bagaglio bagagli valigia borsa | bagagem mala bolsa | bagage koffer tas | 行李 箱子 | 荷物 スーツケース
backpack rucksack | rucksack | mochila | sac_à_dos | zaino | mochila | rugzak | 背包 | リュック
cot crib baby_bed newborn baby | babybett kinderbett gitterbett | cuna | berceau lit_bébé | culla lettino | berço | kinderbed wieg | 婴儿床 | ベビーベッド
cloakroom locker lockers | garderobe schließfach spind | guardarropa taquilla consigna | vestiaire casier consigne | guardaroba armadietto | guarda-volumes armário | garderobe kluisje locker | 寄存 储物柜 | ロッカー クローク
safe strongbox valuables | tresor safe wertsachen | caja_fuerte objetos_de_valor | coffre objets_de_valeur | cassaforte valori | cofre valores | kluis waardevolle | 保险箱 贵重 | 金庫 貴重品
park parking car_park garage parking_space leave_my_car put_my_car | parken parkplatz parkhaus garage tiefgarage | aparcar aparcamiento estacionar estacionamiento parking garaje | parking stationnement garer stationner | parcheggio parcheggiare | estacionamento estacionar garagem | parkeren parkeerplaats garage | 停车 停车场 | 駐車 駐車場
car vehicle automobile auto | auto wagen fahrzeug pkw | coche auto carro vehículo | voiture véhicule auto | auto macchina automobile veicolo | carro veículo automóvel | auto wagen voertuig | 车 汽车 | 車 自動車
van camper motorhome caravan campervan | wohnmobil wohnwagen transporter | furgoneta autocaravana caravana | camping-car camionnette caravane | camper furgone roulotte | van trailer | camper busje caravan
electric_car charge charging charging_point charging_station plug_in ev | laden ladesäule ladestation elektroauto | cargar carga eléctrico | recharge borne recharger électrique | ricarica colonnina elettrica | carregar carregamento elétrico | opladen laadpaal elektrische | 充电 | 充電
petrol gasoline gas fuel diesel tank | benzin tanken kraftstoff sprit | gasolina combustible repostar | essence carburant plein | benzina carburante | gasolina combustível abastecer | benzine brandstof tanken | 汽油 加油 | ガソリン 燃料
bike bicycle cycle cycling | fahrrad rad | bicicleta bici | vélo bicyclette | bicicletta bici | bicicleta | fiets | 自行车 | 自転車
scooter moped motorbike motorcycle | roller motorrad | moto patinete | trottinette moto scooter | motorino moto monopattino | moto patinete | scooter motor step
train rail railway | zug bahn | tren ferrocarril | train | treno | trem comboio | trein | 火车 列车 | 電車 列車
station | bahnhof haltestelle | estación | gare station | stazione | estação | station | 车站 | 駅
bus coach shuttle | bus | autobús bus | bus autobus navette | autobus bus navetta | ônibus | bus | 公交 巴士 | バス
plane flight airport fly airline by_air | flug flugzeug flughafen | avión vuelo aeropuerto | avion vol aéroport | aereo volo aeroporto | avião voo aeroporto | vliegtuig vlucht vliegveld | 飞机 航班 机场 | 飛行機 空港 便
ship boat ferry cruise | schiff boot fähre | barco ferry | bateau ferry navire | nave barca traghetto | barco navio balsa | schip boot veerboot
taxi cab | taxi | taxi | taxi | taxi | táxi | taxi | 出租车 | タクシー
ticket fare pass admission | fahrkarte ticket karte eintrittskarte fahrschein eintritt | billete entrada boleto | billet ticket entrée | biglietto ingresso | bilhete ingresso passagem entrada | kaartje ticket toegang | 票 门票 车票 | 切符 チケット 入場券
travel journey trip traveller tour voyage go_on_a_trip excursion | reise reisen fahrt ausflug | viaje viajar excursión | voyage voyager trajet excursion | viaggio viaggiare gita | viagem viajar passeio | reis reizen uitstapje | 旅行 | 旅行 旅
holiday vacation time_off leave annual_leave days_off take_off | urlaub ferien | vacaciones | vacances congé congés | vacanza ferie vacanze | férias | vakantie verlof | 假期 休假 度假 | 休暇
passport id identity_card identification id_card | ausweis reisepass pass personalausweis | pasaporte carné identificación dni | passeport identité | passaporto documento identità | passaporte identidade documento | paspoort identiteitsbewijs legitimatie | 护照 身份证 | パスポート 身分証
visa residence_permit immigration | visum aufenthalt | visado visa | visa séjour | visto | visto | visum
border distance away far kilometre | grenze entfernung abstand | frontera distancia | frontière distance | confine distanza | fronteira distância | grens afstand
driving_licence drive driver driving | führerschein fahren fahrer | conducir carné conductor | permis conduire conducteur | patente guidare guida | dirigir habilitação motorista conduzir | rijbewijs rijden bestuurder | 驾照 开车 驾驶 | 運転 免許
accident crash collision hit crashed ran_into smashed | unfall zusammenstoß | accidente choque | accident collision | incidente scontro | acidente colisão batida | ongeluk ongeval botsing | 事故 车祸 | 事故
breakdown towing tow roadside tow_truck | panne abschleppen pannenhilfe | avería grúa remolque | panne dépannage remorquage | guasto traino soccorso | pane reboque guincho | pech pechhulp slepen
tyre tire wheel flat_tyre puncture | reifen rad | neumático rueda pinchazo | pneu roue crevaison | gomma pneumatico ruota | pneu roda | band wiel
windscreen windshield car_window | windschutzscheibe scheibe | parabrisas | pare-brise | parabrezza | para-brisa | voorruit
number_plate plate licence_plate registration | kennzeichen nummernschild | matrícula placa | plaque immatriculation | targa | placa | kenteken
police cops officer | polizei | policía | police gendarmerie | polizia | polícia | politie | 警察 报警 | 警察
fire burn flame burning smoke_alarm | feuer brand brennt | fuego incendio | feu incendie | fuoco incendio | fogo incêndio | brand vuur | 火 火灾 | 火事 火
steal stole stolen theft robbed thief burglary taken break-in burglar pinched nicked | diebstahl gestohlen geklaut einbruch | robo robado robaron hurto | vol volé cambriolage | furto rubato rubata | roubo roubado furto roubada | diefstal gestolen inbraak | 偷 被盗 盗窃 | 盗難 盗まれ
lost lose losing misplace left_behind leave_behind can't_find left_my forgot_my lost_property lost_and_found mislaid missing forgotten found | verloren verlust fundsachen fundbüro vergessen liegengelassen | perdido perder olvidado objetos_perdidos perdí | perdu perdre oublié objets_trouvés trouvés | perso smarrito dimenticato oggetti_smarriti | perdido perder esqueci achados | verloren kwijt vergeten gevonden | 丢失 遗失 丢了 忘 | 紛失 忘れ物 落とし物
pet animal | haustier tier tiere | mascota animal animales | animal animaux compagnie | animale animali domestico | animal animais estimação | huisdier dier dieren | 宠物 动物 | ペット 動物
dog puppy | hund hunde | perro perra | chien chienne | cane cani | cachorro cão cadela | hond | 狗 | 犬
cat kitten | katze katzen kater | gato gata | chat chatte | gatto gatta | gato gata | kat poes | 猫 | 猫
horse pony | pferd | caballo | cheval | cavallo | cavalo | paard
bird parrot | vogel | pájaro ave | oiseau | uccello | pássaro ave | vogel
fish | fisch | pescado pez | poisson | pesce | peixe | vis | 鱼 | 魚
museum gallery exhibition exhibit | museum ausstellung | museo exposición | musée exposition | museo mostra | museu exposição | museum tentoonstelling | 博物馆 展览 | 博物館 美術館 展示
photo photograph picture camera take_pictures take_photos pictures photography filming film video | foto fotografieren bild kamera | foto fotografía cámara | photo photographie photographier | foto fotografia fotografare | foto fotografia câmera | foto fotograferen camera | 照片 拍照 | 写真 撮影
guided_tour guide tour visit | führung besichtigung besuch | visita guiada guía | visite guidée guide | visita guidata guida | visita guiada guia | rondleiding gids bezoek | 导览 参观 | ガイド 見学
library | bibliothek bücherei | biblioteca | bibliothèque | biblioteca | biblioteca | bibliotheek | 图书馆 | 図書館
book books novel reading | buch bücher | libro libros | livre livres | libro libri | livro livros | boek boeken | 书 | 本
swim swimming pool swimming_pool | schwimmen schwimmbad becken | piscina nadar | piscine nager baignade | piscina nuotare | piscina nadar | zwembad zwemmen | 游泳 泳池 | プール 水泳
sauna spa wellness massage steam | sauna wellness | sauna spa | sauna spa | sauna spa terme | sauna spa | sauna | 桑拿 | サウナ 温泉
gym fitness workout training exercise work_out | fitnessstudio training sport | gimnasio entrenamiento ejercicio | gym salle_de_sport entraînement | palestra allenamento | academia treino ginástica | sportschool training | 健身 健身房 | ジム
game match play sport club team league | spiel sport verein mannschaft | juego partido deporte equipo | jeu match sport équipe | gioco partita sport squadra | jogo partida esporte time | spel wedstrijd sport ploeg
concert show performance event theatre play | konzert veranstaltung vorstellung theater | concierto espectáculo evento teatro | concert spectacle événement théâtre | concerto spettacolo evento teatro | show espetáculo evento teatro | concert voorstelling evenement theater | 演出 音乐会 活动 | 公演 コンサート
cinema movie film movies pictures | kino film | cine película | cinéma film | cinema film | cinema filme | bioscoop film
beach sea coast seaside ocean | strand meer küste | playa mar | plage mer | spiaggia mare | praia mar | strand zee | 海滩 海 | 海 ビーチ
mountain hill altitude high_up hiking hike walk hiker | berg wandern höhe | montaña altitud senderismo | montagne altitude randonnée | montagna altitudine escursione | montanha altitude trilha | berg wandelen hoogte | 山 登山 | 山
camping tent campsite camp pitch | zelt camping zelten | camping tienda acampar | camping tente camper | campeggio tenda | acampamento barraca camping | kamperen tent camping
forest wood tree | wald baum holz | bosque árbol madera | forêt arbre bois | foresta bosco albero legno | floresta árvore madeira | bos boom hout
weather rain snow storm wind bad_weather thunderstorm | wetter regen schnee sturm unwetter | tiempo lluvia nieve tormenta mal_tiempo | météo pluie neige tempête intempéries orage | tempo pioggia neve tempesta maltempo | tempo chuva neve tempestade | weer regen sneeuw storm | 天气 下雨 雨 | 天気 雨 雪 台風
view panorama sea_view | aussicht blick | vista vistas | vue | vista | vista | uitzicht
wheelchair disabled disability accessible handicapped barrier-free accessibility mobility can't_walk step-free | rollstuhl barrierefrei behindert behinderte | silla_de_ruedas discapacidad accesible movilidad | fauteuil_roulant handicapé accessible mobilité fauteuil roulant | sedia_a_rotelle disabili accessibile rotelle | cadeira_de_rodas deficiente acessível acessibilidade | rolstoel gehandicapt toegankelijk | 轮椅 残疾 | 車椅子 バリアフリー
smoke smoking cigarette smoker tobacco vape | rauchen zigarette raucher rauch | fumar cigarrillo humo | fumer cigarette fumeur fumée | fumare sigaretta fumo | fumar cigarro fumaça | roken sigaret rook | 吸烟 抽烟 | 喫煙 たばこ
playground children's_area`,
  'synsets/thesaurus': `get obtain receive acquire had
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
harassment bullying`,
  'synsets/trade': `buy bought purchase acquire get | kaufen kauf gekauft erwerben | comprar compra compré | acheter achat acheté | comprare acquisto comprato acquistare | comprar compra comprei | kopen aankoop gekocht | 购买 买 | 購入 買う
sell sold sale | verkaufen verkauf | vender venta | vendre vente | vendere vendita | vender venda | verkopen verkoop verkopen | 卖 出售 | 販売 売る
order ordered orders place_an_order purchase | bestellung bestellen auftrag bestellt | pedido pedir encargo | commande commander | ordine ordinare | pedido encomenda pedir | bestelling bestellen | 订单 下单 订购 | 注文
delivery deliver shipping ship dispatch shipped delivered send sent arrive bring get_here carriage | lieferung liefern versand zustellung verschicken geliefert | entrega envío enviar entregar | livraison livrer expédition envoi envoyer | consegna consegnare spedizione spedire | entrega envio entregar enviar frete | bezorging levering bezorgen verzending leveren verzenden bezorgd | 配送 送货 发货 快递 寄 | 配送 配達 発送 送る
parcel package packet box | paket päckchen karton | paquete caja | colis paquet | pacco pacchetto | pacote encomenda | pakket pakje doos | 包裹 | 荷物 小包
post mail letter postal | post brief | correo carta | poste courrier lettre | posta lettera | correio carta | post brief | 邮件 邮寄 信 | 郵便 手紙
postage stamp postage_cost | porto briefmarke versandkosten | franqueo sello gastos_de_envío | affranchissement timbre port | affrancatura francobollo spese | porte selo | porto postzegel verzendkosten | 邮费 运费 | 送料
courier driver carrier messenger delivery_man postman mailman | kurier spedition fahrer zusteller bote | mensajero repartidor transportista | coursier livreur transporteur facteur | corriere fattorino | entregador transportadora | koerier bezorger | 快递员 | 宅配
track tracking trace where_is_my follow status | verfolgen sendungsverfolgung | seguimiento rastrear | suivi suivre | tracciamento tracciare | rastreamento rastrear | volgen track | 追踪 物流 | 追跡
return returns send_back sent_back bring_back brought_back give_back take_back taken_back return_it hand_back revoke | rückgabe zurückgeben rücksendung zurückschicken retoure zurück umtausch | devolución devolver devuelto | retour retourner renvoyer rendre | reso restituire restituzione rendere | devolução devolver | retour terugsturen terugbrengen retourneren teruggeven | 退货 退回 | 返品
exchange swap replace replacement substitute another_one new_one trade | umtausch umtauschen tauschen ersatz ersetzen austausch | cambio cambiar sustituir reemplazo | échange échanger remplacer remplacement | cambio cambiare sostituire sostituzione | troca trocar substituir | ruilen omruilen vervangen vervanging | 换货 更换 换 | 交換 取り替え
guarantee warranty guaranteed | garantie gewährleistung | garantía | garantie | garanzia | garantia | garantie | 保修 质保 | 保証
defect defective faulty broken broke damaged damage fault not_working doesn't_work stopped_working malfunction out_of_order kaputt break_down broken_down crack cracked failed fails | defekt kaputt beschädigt fehlerhaft schaden mangel zerkratzt | defecto defectuoso roto dañado averiado avería estropeado daño | défaut défectueux cassé abîmé panne endommagé dommage | difetto difettoso rotto guasto danneggiato danno | defeito defeituoso quebrado danificado avaria dano | defect kapot beschadigd stuk schade gebrek | 损坏 坏 故障 破损 | 故障 破損 壊れ
scratch scratched dent mark bump | kratzer zerkratzt delle beule | arañazo rayado abolladura | rayure rayé éraflure | graffio graffiato ammaccatura | arranhão riscado | kras krassen deuk
repair fix mend service restore put_right fixed servicing maintenance | reparatur reparieren reparaturen instandsetzung | reparación reparar arreglar arreglo | réparation réparer | riparazione riparare aggiustare | conserto reparo consertar reparar | reparatie repareren herstellen maken | 维修 修理 修 | 修理
workshop garage mechanic repair_shop | werkstatt | taller | atelier garage | officina | oficina | werkplaats garage
spare_part spare replacement_part part component parts | ersatzteil ersatzteile teil | repuesto recambio pieza | pièce rechange | ricambio ricambi pezzo | peça reposição | onderdeel onderdelen reserveonderdeel | 配件 零件 | 部品
shop store branch outlet retail showroom counter | laden geschäft filiale markt | tienda sucursal | magasin boutique succursale | negozio filiale | loja filial agência | winkel filiaal | 店 商店 门店 | 店 店舗 売り場
warehouse stock in_stock available depot | lager vorrätig verfügbar lagerware | almacén existencias disponible | entrepôt stock disponible | magazzino disponibile | armazém estoque disponível | magazijn voorraad | 仓库 库存 | 在庫 倉庫
customer client buyer consumer shopper | kunde kunden kundin | cliente | client clientèle | cliente | cliente | klant | 客户 顾客 | 顧客 お客様
product article item goods merchandise thing stuff ware | ware artikel produkt | producto artículo mercancía | produit article marchandise | prodotto articolo merce | produto artigo mercadoria | product artikel goederen | 商品 产品 | 商品 製品
size sizes fit doesn't_fit too_small too_big too_tight too_large | größe größen passt | talla tamaño | taille pointure | taglia misura | tamanho | maat grootte | 尺码 尺寸 大小 | サイズ
label tag sticker | etikett aufkleber label | etiqueta | étiquette | etichetta | etiqueta | etiket label
packaging original_box packing wrapping wrapped wrap pack | verpackung originalverpackung ungeöffnet | embalaje envase | emballage | imballaggio confezione | embalagem | verpakking | 包装 | 包装 梱包
unused unworn new never_used unopened sealed intact | unbenutzt ungetragen neu | nuevo usar | neuf inutilisé | nuovo inutilizzato | novo | ongebruikt nieuw
used worn second_hand wore | gebraucht getragen | usado | usagé utilisé occasion | usato | usado | gebruikt
gift present | geschenk | regalo | cadeau | regalo | presente | cadeau geschenk | 礼物 礼品 | 贈り物 プレゼント
complaint complain unhappy dissatisfied not_satisfied grievance | beschwerde reklamation beschweren reklamieren | queja reclamación quejarse | plainte réclamation plaindre | reclamo lamentela | reclamação queixa reclamar | klacht klagen reclamatie | 投诉 | 苦情 クレーム
contract agreement terms signed_up deal subscription | vertrag vereinbarung | contrato acuerdo | contrat accord | contratto accordo | contrato acordo | contract overeenkomst | 合同 协议 | 契約
subscription subscribe membership member | abo abonnement mitgliedschaft mitglied | suscripción abono socio membresía | abonnement adhésion adhérent membre | abbonamento iscrizione socio tessera | assinatura plano sócio | abonnement lidmaatschap lid | 订阅 会员 | 会員 定期
cancel cancellation call_off terminate termination quit end ending stop close get_out_of opt_out withdraw leave notice shut_down | kündigen kündigung stornieren stornierung beenden abmelden widerruf absagen | cancelar cancelación rescindir baja anular dar_de_baja | annuler annulation résilier résiliation | disdire disdetta cancellare cancellazione annullare recedere | cancelar cancelamento encerrar rescindir encerramento | opzeggen opzegging annuleren annulering beëindigen | 取消 解约 退订 | キャンセル 解約 取消
notice_period notice period_of_notice | kündigungsfrist frist | preaviso plazo | préavis délai | preavviso | aviso_prévio prazo | opzegtermijn
renew renewal extend extension prolong automatic_renewal | verlängern verlängerung | renovar renovación prorrogar | renouveler renouvellement prolonger | rinnovo rinnovare prolungare | renovar renovação prorrogar | verlengen verlenging | 续费 续约 延长 | 更新 延長
pause suspend rest freeze put_on_hold on_hold interrupt break | pausieren pause ruhen aussetzen unterbrechen | pausar pausa suspender | suspendre suspension pause | sospendere sospensione pausa | pausar suspender trancar | pauzeren opschorten | 暂停 | 休会 停止
term duration minimum_term length period how_long run | laufzeit dauer mindestlaufzeit zeitraum | duración plazo permanencia período | durée période | durata periodo | duração prazo período | looptijd duur periode | 期限 时长 多久 | 期間
sign signature signed | unterschrift unterschreiben | firma firmar | signature signer | firma firmare | assinatura assinar | handtekening tekenen ondertekenen | 签字 签名 | 署名
form application apply fill_in fill_out request applying | antrag formular beantragen antragsformular | solicitud formulario solicitar | demande formulaire demander | domanda modulo richiesta richiedere | pedido formulário solicitação solicitar | aanvraag formulier aanvragen | 申请 表格 | 申請 申込
register registration sign_up sign_on enrol enroll enrolment enrollment join enter | anmelden anmeldung registrieren registrierung einschreiben | inscribir inscripción registrarse registro apuntarse | inscrire inscription enregistrer | iscriversi iscrizione registrarsi registrazione | inscrever inscrição cadastro matrícula registro | aanmelden inschrijven aanmelding inschrijving registreren | 注册 报名 登记 | 登録 申し込み
condition terms rule rules policy requirement regulation small_print | bedingung bedingungen agb regel regeln | condición condiciones norma reglas términos | condition conditions règle règlement | condizione condizioni regola regole regolamento | condição condições regra regras | voorwaarde voorwaarden regel regels | 条款 条件 规定 | 条件 規約 規則
right rights entitled entitlement | recht rechte anspruch berechtigt | derecho derechos | droit droits | diritto diritti | direito direitos | recht rechten
law legal statutory lawyer solicitor attorney | gesetz rechtlich gesetzlich anwalt | ley legal abogado | loi légal avocat | legge legale avvocato | lei legal advogado | wet wettelijk advocaat | 法律 律师 | 法律 弁護士
consent permission approval agree allowed_by authorisation | zustimmung einwilligung erlaubnis genehmigung | consentimiento autorización permiso aprobación | consentement autorisation accord permission | consenso autorizzazione permesso | autorização consentimento permissão | toestemming
proof evidence document certificate papers confirm confirmation | nachweis beleg beweis bescheinigung bestätigung | prueba justificante certificado comprobante | preuve justificatif attestation certificat | prova certificato attestato | prova comprovante certificado | bewijs attest | 证明 | 証明
reserve reservation book booking booked reserved hold | reservieren reservierung buchen buchung vorbestellen | reservar reserva | réserver réservation | prenotare prenotazione | reservar reserva | reserveren boeken reservering boeking | 预订 预约 订 | 予約
amend change modify alter adjust correct update edit switch | ändern änderung umbuchen anpassen | cambiar modificar cambio | changer modifier modification changement | modificare cambiare modifica | alterar mudar modificar alteração | wijzigen veranderen aanpassen wijziging | 更改 修改 变更 | 変更
pick_up picked_up collect collection fetch fetched collected pickup come_and_get | abholen abholung | recoger recogida | retirer récupérer ramassage collecte | ritirare ritiro raccolta | retirar buscar coleta retirada | ophalen afhalen inzameling | 领取 自提 取 | 受取 受け取り 引き取り
hand_in submit drop_off turn_in bring deliver | abgeben einreichen | entregar presentar | remettre déposer | consegnare | entregar | inleveren afgeven
missing incomplete not_received never_arrived hasn't_arrived lost didn't_arrive not_arrived | fehlt fehlend verloren nicht_angekommen | falta perdido extraviado | manquant perdu | mancante smarrito perso | falta perdido extraviado | ontbreekt kwijt
late delay delayed overdue behind_schedule belated too_late | verspätung spät verzögerung verspätet | retraso tarde demora | retard tard retardé | ritardo tardi | atraso tarde demora | vertraging laat te_laat | 延误 晚点 迟到 | 遅れ 遅延 遅刻
supplier provider manufacturer maker brand producer | anbieter hersteller lieferant marke | proveedor fabricante marca | fournisseur fabricant marque | fornitore produttore marca | fornecedor fabricante marca | leverancier fabrikant merk
satisfied happy pleased
sample trial try_out test free_trial probation | probe muster testen probezeit | prueba muestra | essai échantillon | prova campione | teste amostra experiência período_de_teste | proef proefperiode | 试用 | お試し
loan borrow lend hire rent rental lease rented leasing | mieten miete leihen ausleihen verleih | alquilar alquiler prestar préstamo | louer location emprunter prêt | noleggio noleggiare affitto prestito affittare | alugar aluguel emprestar empréstimo | huren huur lenen verhuur | 租 租赁 借 | レンタル 貸出 借りる
auction bid bidding
wholesale bulk bulky large_quantity oversized | sperrig sperrgut großhandel
assemble assembly set_up install installation put_together fitted mount mounting | aufbau montage aufbauen installation montieren | montaje instalar montar instalación | montage installer installation | montaggio installare montare installazione | montagem instalar montar instalação | montage monteren installeren installatie | 安装 | 設置 取り付け
dispose disposal get_rid throw_away throw_out discard bin scrap chuck toss | entsorgen entsorgung wegwerfen | desechar tirar eliminar | jeter éliminer | smaltire smaltimento buttare gettare | descartar descarte jogar_fora | weggooien afvoeren | 扔 丢弃 | 処分 捨てる
divert redirect send_elsewhere another_address different_address forward somewhere_else | umleiten nachsenden | desviar redirigir | rediriger | reindirizzare | redirecionar | omleiden doorsturen
nobody_home not_at_home not_home wasn't_home not_in was_out nobody_in missed_delivery not_there absent | nicht_zuhause niemand_da | nadie_en_casa ausente | absent | assente | ausente | niet_thuis
expiry expire expires expired lapse run_out validity valid good_until use_by best_before | ablauf gültig gültigkeit verfallen abgelaufen | caducidad caduca válido validez vence | expirer expiration valable validité périmé | scadenza valido validità scade | validade válido vence expira | geldig vervallen verlopen geldigheid | 有效期 过期 有效 | 有効 期限`,
  'word-forms': `arise arose arisen
bear bore borne
beat beaten
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken breakage
bring brought
burn burnt
buy bought
catch caught
choose chose chosen choice
come came
cling clung
creep crept
deal dealt
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown flight
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
grind ground
grow grew grown growth
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known knowledge
lay laid
lead led
learn learnt
leave left
lend lent
light lit
lose lost loss
mean meant
meet met meeting
mistake mistook mistaken
pay paid payment
prove proven proof
ride rode ridden
ring rang rung
rise rose risen
run ran
seek sought
sell sold sale
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung song
sink sank sunk
sit sat
sleep slept asleep
slide slid
smell smelt
speak spoke spoken speech
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
stink stank
strike struck
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
think thought
throw threw thrown
wake woke woken
wear wore worn
win won
wind wound
write wrote written
withdraw withdrew withdrawn withdrawal
child children
foot feet
tooth teeth dental
man men
woman women
mouse mice
person people
wife wives
knife knives
life lives live alive
half halves
leaf leaves
shelf shelves
thief thieves theft
calf calves
loaf loaves
wolf wolves
goose geese
ox oxen
bacterium bacteria
medium media
analysis analyses
deliver delivery
apply application applicant
decide decision
extend extension
permit permission
admit admission admittance
receive receipt reception
proceed procedure
succeed success successful
give gift
die died death dead deceased
deceive deception
believe belief
weigh weight
see sight
strong strength strengthen
long length lengthen
high height
deep depth
wide width
broad breadth
warm warmth
hot heat
young youth
true truth
safe safety
anxious anxiety
able ability
vary variety variation
available availability
valid validity
possible possibility
urgent urgency
emerge emergency
pregnant pregnancy
private privacy
accurate accuracy
vacant vacancy vacate
frequent frequency
expire expiry expiration
discover discovery
recover recovery
enquire enquiry inquire inquiry
enter entry entrance
deny denial
rely reliable reliance
notify notification notice
verify verification
identify identification identity
qualify qualification
certify certificate certification
modify modification
classify classification
comply compliance compliant
insure insurance insurer
assist assistance assistant
allow allowance
maintain maintenance
prefer preference
refer reference referral
differ difference different
defend defence
offend offence
respond response
suspend suspension
intend intention
prevent prevention
convert conversion
divert diversion
divide division
provide provision
collide collision
explode explosion
exclude exclusion
include inclusion inclusive
conclude conclusion
transmit transmission
submit submission
omit omission
produce production product
reduce reduction
introduce introduction
destroy destruction
describe description
prescribe prescription
subscribe subscription subscriber
consume consumption
resume resumption
redeem redemption
exempt exemption
solve solution
resolve resolution
dissolve solution
acquire acquisition
measure measurement
move motion
try trial
rent rental
sign signature
depart departure
fail failure
close closure
press pressure
mix mixture
post postage postal
pack package packaging
marry marriage marital
carry carriage carrier
compare comparison
erase erasure
own owner ownership
member membership
relation relationship
partner partnership
scholar scholarship
citizen citizenship
neighbour neighbourhood
child childhood
parent parental
music musical
medicine medical medicinal
law legal lawful lawyer
mouth oral
eye optical optician
ear hearing aural
hand manual
year annual yearly
day daily
month monthly
week weekly
night overnight nightly
sun solar sunny
moon lunar
city urban
country national rural
world worldwide global
sea marine maritime
water aquatic watery
animal veterinary
heart cardiac
skin dermatological
blood bleed bleeding
head heading
money monetary
tax taxable taxation
crime criminal
danger dangerous
poison poisonous toxic
fire fiery inflammable flammable
noise noisy
ice icy frozen
wind windy
rain rainy
storm stormy
dirt dirty
dust dusty
mud muddy
salt salty
sugar sugary
oil oily
fat fatty
health healthy
hunger hungry
thirst thirsty
anger angry
luck lucky
guilt guilty
fault faulty
defect defective
effect effective
hazard hazardous
allergy allergic
diabetes diabetic
vegan veganism
alcohol alcoholic
electric electrical electricity electrician electronic
mechanic mechanical
technic technical technician technology
economy economic economical
politics political
practice practical
science scientific scientist
art artist artistic
photo photograph photography photographer photographic
library librarian
dentist dentistry dental
pharmacy pharmacist pharmaceutical
surgery surgical surgeon
physics physical
chemist chemical chemistry
gym gymnasium gymnastics
vehicle vehicular
plumb plumber plumbing
account accountant accounting
book bookkeeping
reimburse reimbursement
refund refundable
return returnable
cancel cancellation cancelled
transfer transferable
use usage usable reuse
pay payable payer
owe owing
access accessible accessibility
wheel wheelchair
charge charger chargeable recharge
print printer printout
scan scanner
drive driver driving
ride rider riding
cycle cyclist bicycle
travel traveller
visit visitor
swim swimmer swimming
run runner running
climb climber climbing
hike hiker hiking
camp camper camping campsite
cook cooker cooking cookery
bake bakery baker
clean cleaner cleaning cleanliness
teach teacher teaching
learn learner learning
train trainer trainee training
employ employer employee employment
work worker working workplace
manage manager management
own owner
rent renter rental tenant
lend lender lending
sell seller selling sale
buy buyer buying
supply supplier
produce producer
direct director direction
inspect inspector inspection
act actor action
protect protection protective
one 1
two 2
three 3
four 4
five 5
six 6
seven 7
eight 8
nine 9
ten 10
eleven 11
twelve 12
fifteen 15
twenty 20
thirty 30
forty 40
fifty 50
sixty 60
hundred 100
thousand 1000
first 1st
second 2nd
third 3rd`,
} as const;
