/** Telephones, computers, accounts, software, appliances. See ../meanings.ts for the form. */
export const devices = `
  phone telephone call ring dial give_a_ring phone_number hotline call_you speak_to | telefon anrufen anruf telefonisch rufnummer | teléfono llamar llamada telefónico | téléphone appeler appel téléphoner | telefono chiamare chiamata telefonare | telefone ligar ligação chamada | telefoon bellen telefonisch | 电话 打电话 | 電話
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
  cold freezing frost chilled cool | kalt kälte frost | frío | froid | freddo | frio | koud kou | 冷 | 寒い 冷たい
`;
