/** Prices, payments, banks, insurance. See ../meanings.ts for the form. */
export const money = `
  price cost fee charge rate | preis kosten gebühr kostet | precio coste costo tarifa cuesta vale | prix coût tarif frais coûte | prezzo costo tariffa costa | preço custo tarifa taxa valor custa | prijs kosten tarief kost | 价格 费用 多少钱 价钱 收费 | 料金 値段 価格 費用 いくら
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
  payment_method means_of_payment pay_by accept_cards cards | zahlungsart zahlungsmittel | forma_de_pago | moyen_de_paiement | metodo_di_pagamento | forma_de_pagamento | betaalmethode
`;
