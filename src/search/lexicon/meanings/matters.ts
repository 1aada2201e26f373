/** What particular trades, offices and pastimes deal with. See ../lexicon.ts for the form. */
export const matters = `
  watch view stream streaming series episode movie | anschauen schauen serie folge | ver mirar serie episodio | regarder série épisode | guardare serie episodio | assistir ver série episódio | kijken serie aflevering
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
  adopt rehome | adoptieren vermitteln | adoptar | adopter | adottare | adotar | adopteren
`;
