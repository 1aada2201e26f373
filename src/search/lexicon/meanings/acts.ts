/** Times, quantities, permissions, qualities, everyday verbs. See ../meanings.ts for the form. */
export const acts = `
  open opening opening_hours hours opening_times business_hours when_open | öffnungszeiten geöffnet offen öffnen öffnet | horario abierto abrir abre apertura | horaires ouvert ouvrir ouverture ouvre | orari orario aperto aprire apre apertura | horário aberto abrir abre funcionamento | openingstijden open geopend openen | 营业时间 开门 开放 几点 | 営業時間 開館 営業
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
  plan tariff package option rate | tarif plan paket | plan tarifa | forfait formule offre | piano tariffa | plano tarifa | abonnement tarief pakket | 套餐 | プラン
`;
