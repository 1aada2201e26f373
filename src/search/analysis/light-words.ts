import { fold } from './fold.ts';
import { stem } from './stem.ts';

/**
 * Words that say little about the subject of a question: what people do, how, and when, in whatever matter. They count, but for less than
 * their rareness in a small base would make of them.
 */
const light = `able accept actually add afternoon ago agree ahead all alone along already also although always amount another answer anymore
  anyway apart apparently appear apply arrange around arrive arrives arrived aside available away awful back bad badly become before begin behind believe
  belong best better big bit bother bought bring bringing brought busy buy call called came care case catch certain certainly chance change check choose
  clear close come comes coming completely consider continue correct count couple course cover current currently cut day days deal decide definitely
  depend describe different difficult direct directly disappear done double during each early earlier easy either else end enough entire especially
  etc evening ever exactly example except exist expect extra fact fail fall far fast feel few final finally fine finish first fit five fix follow
  following four free frequent friend front full fully further future gave general generally give gives given gone good got great guess half hand handle hang
  hard hate head hear hold hope hour hours huge idea immediately include including inside instead interested involve issue item job join keep keeps kept
  last late lately later latest leave leaving left length let level life like likely line list listen little live local long longer look lose loud love
  low main major manage many matter maybe meanwhile mention middle mind minute minutes miss moment month months more morning most mostly move much name near
  nearly necessary needed never new next nice night nobody normal normally note nothing notice now number obvious occur odd offer often old once only
  open option order ordinary original others otherwise outside over own particular pass past people per perfect perhaps person personal pick piece
  place plan play plenty point possible prefer present pretty previous probably problem proper properly provide pull push put puts quick quite rather reach
  read real reason receive recent recently regular remain remember remove result return right round run same save second see seem send sense serious set
  several shall short show shut side similar simple simply since single sit situation six small smart somebody somewhere soon special specific spend
  stand start started state stay step still stop straight strange stuff such sudden suggest suit supply sure swap talk ten term thank third though
  three throw time times today together tomorrow tonight too top total touch toward town true turn turned twice two type understand unfortunately unless
  until upon usual usually various wait walk wall wanting way week weeks weekend went whatever whenever wherever whether while whole whoever wish word work working
  works worry worse worst worth wrong year years yesterday yours`;
/** The same of the other languages, but for words that are others in English. */
const foreign = `bekommen bekomme bekommt brauche brauchen braucht bringen bringt kommen kommt kam komme gekommen bleiben bleibt stehen steht liegt liegen
  finden finde findet nehmen nehme nimmt genommen gestern heute morgen nachste nachsten letzte letzten neue neuen neuer alte alten alter ganze ganz
  gut gute guten schlecht gross grosse klein kleine viel lange spater fruher vorher nachher wieder zuruck weiter einfach richtig falsch wirklich
  jemand niemand leute tage woche wochen monat monate jahr jahre stunden ersten zweite zweimal einmal immer nie oft manchmal
  puedo hago hacerlo necesito llevar traer llego llega llegar quedar queda dejar dejo pasar pasa poner pongo venir viene volver vuelvo tomar tomo
  ayer hoy ahora luego despues pronto siempre nunca veces vez dia dias semana semanas meses ano anos hora horas primero ultima ultimo nuevo nueva
  viejo bueno buena mejor peor grande pequeno poco mucho mucha gente
  arriver arrive prendre prends prend mettre mets venir viens vient partir rester reste donner donne trouver trouve hier demain maintenant toujours jamais
  souvent fois jour jours semaine semaines mois annee heure heures premier derniere dernier nouveau nouvelle vieux bon bonne mieux mauvais grande petit
  petite beaucoup gens
  arrivare arriva prendere prendo mettere metto venire viene lasciare lascio trovare trovo ieri oggi domani adesso dopo prima sempre mai spesso volta volte
  giorno giorni settimana settimane mese mesi ultimo nuovo nuova vecchio buono meglio piccolo molta gente
  chegar chego chega levar trazer ficar fica deixar deixo passar passa colocar voltar tomar ontem hoje amanha agora depois antes sempre nunca vez vezes
  semanas meses horas primeiro novo nova velho bom boa melhor pior pequeno muita pessoas
  krijgen krijg krijgt brengen komen komt kom blijven blijft staan staat liggen ligt vinden vind nemen neem neemt gisteren vandaag morgen nu later
  altijd nooit vaak keer dag dagen week weken maand maanden jaar jaren uur eerste laatste nieuwe oude goed goede slecht groot grote kleine mensen`;
const set: ReadonlySet<string> = new Set(`${light} ${foreign}`.split(/\s+/).map((word) => stem(fold(word))));

/** Whether a word (as its stem) hardly tells one matter from another. */
export const isLight = (word: string): boolean => set.has(word);
