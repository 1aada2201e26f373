/** Body, health, family, work, school, food, clothes. See ../meanings.ts for the form. */
export const people = `
  doctor physician gp medic practitioner specialist | arzt ärztin doktor hausarzt | médico doctor doctora | médecin docteur | medico dottore | médico doutor | arts dokter huisarts | 医生 大夫 | 医者 医師
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
  secretary chairman chair president chairperson committee board
`;
