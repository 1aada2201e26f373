/** Home, town, travel, hotels, vehicles, leisure. See ../meanings.ts for the form. */
export const places = `
  house home building residence property dwelling | haus zuhause gebäude heim | casa edificio hogar vivienda | maison domicile bâtiment immeuble logement | casa edificio abitazione | casa prédio edifício residência | huis thuis gebouw woning | 家 房子 住宅 | 家 住宅 建物
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
  playground children's_area
`;
