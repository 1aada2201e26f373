/** Voices of espeak-ng. */
export const variants = [
  'm1',
  'm2',
  'm3',
  'm4',
  'm5',
  'm6',
  'm7',
  'm8',
  'f1',
  'f2',
  'f3',
  'f4',
  'f5',
  'klatt',
  'klatt2',
  'klatt3',
];

/** What people, firms and mailboxes say; a pause stands where `|` is. */
export const texts = {
  'en-us': {
    hello: [
      'Hello?',
      'Yes?',
      'Hi.',
      'Hello, who is this?',
      'Speaking.',
      'Good morning.',
      'Yeah, hello?',
      'This is Anna.',
    ],
    greeting: [
      'Good morning, Miller and Sons, how can I help you?',
      'Thank you for calling the Corner Bakery, this is Tom, what can I do for you?',
      'Hello, you have reached the office of Doctor Brown, how may I help?',
      'City Garage, Peter speaking.',
    ],
    mailbox: [
      'Hi, this is John. | I cannot take your call right now. | Please leave a message after the beep.',
      'You have reached the voicemail of five five five, one two three four. | Please record your message after the tone.',
      'The person you are calling is not available. | Please leave a message.',
      'Hey, it is Kate. | Leave a message!',
    ],
  },
  'en-gb': {
    hello: ['Hello?', 'Hello there.', 'Yes, hello?', 'Good afternoon.'],
    greeting: [
      'Good afternoon, Harbour Dental Practice, Susan speaking, how can I help?',
      'Hello, Green and Partners, which department would you like?',
    ],
    mailbox: [
      'Sorry, we are closed at the moment. | Our opening hours are nine to five, Monday to Friday. | Please leave your name and number after the tone.',
      'The mobile you are calling is switched off. | Please try again later, or leave a message after the tone.',
    ],
  },
  de: {
    hello: ['Hallo?', 'Ja?', 'Müller.', 'Ja, hallo?', 'Guten Tag.', 'Schmidt, guten Tag.'],
    greeting: [
      'Praxis Doktor Weber, guten Tag, was kann ich für Sie tun?',
      'Autohaus Krause, mein Name ist Petra Lang, wie kann ich Ihnen helfen?',
      'Gasthaus zum Löwen, guten Abend.',
      'Stadtwerke, Sie sprechen mit Herrn Becker.',
    ],
    mailbox: [
      'Guten Tag. | Sie sind mit dem Anschluss von Familie Meier verbunden. | Wir sind zur Zeit nicht erreichbar. | Bitte hinterlassen Sie eine Nachricht nach dem Signalton.',
      'Der gewünschte Gesprächspartner ist zur Zeit nicht erreichbar. | Bitte sprechen Sie nach dem Ton.',
      'Hier ist die Mailbox von Jens. | Nachrichten nach dem Piep.',
      'Unser Büro ist nicht besetzt. | Sie erreichen uns von Montag bis Freitag. | Sprechen Sie bitte nach dem Ton.',
    ],
  },
  'fr-fr': {
    hello: ['Allô ?', 'Oui ?', 'Bonjour.', 'Oui, allô ?'],
    greeting: [
      'Boulangerie Martin, bonjour, que puis-je pour vous ?',
      'Cabinet du docteur Petit, bonjour, je vous écoute.',
    ],
    mailbox: [
      'Bonjour, vous êtes bien chez Claire. | Je ne suis pas là pour le moment. | Laissez un message après le bip.',
      'Votre correspondant n’est pas disponible. | Merci de laisser un message après le signal sonore.',
    ],
  },
  es: {
    hello: ['¿Diga?', '¿Sí?', 'Hola.', '¿Quién es?'],
    greeting: ['Taller Hernández, buenos días, ¿en qué puedo ayudarle?', 'Clínica dental, le atiende Marta, dígame.'],
    mailbox: [
      'El teléfono al que llama está apagado o fuera de cobertura. | Deje su mensaje después de la señal.',
      'Hola, soy Pablo. | Ahora no puedo contestar. | Deja tu mensaje después de la señal.',
    ],
  },
  it: {
    hello: ['Pronto?', 'Sì?', 'Pronto, chi parla?', 'Buongiorno.'],
    greeting: ['Officina Rossi, buongiorno, come posso aiutarla?', 'Studio Bianchi, buongiorno, sono Laura.'],
    mailbox: [
      'Risponde la segreteria telefonica. | Lasciate un messaggio dopo il segnale acustico.',
      'In questo momento non possiamo rispondere. | Lasciate nome e numero dopo il segnale.',
    ],
  },
} as const;
