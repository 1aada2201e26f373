import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Plays one recording. Nothing of it is loaded before somebody plays it or jumps into it. */
export type Player = {
  /** Where the sound is, in seconds. */
  at: ReadonlySignal<number>;
  isPlaying: ReadonlySignal<boolean>;
  problem: ReadonlySignal<boolean>;
  toggle(): void;
  jump(seconds: number): void;
  setSpeed(factor: number): void;
};

export function usePlayer(url: string | undefined): Player {
  const [at, isPlaying, problem] = [useSignal(0), useSignal(false), useSignal(false)];
  const audio = useRef<HTMLAudioElement | undefined>(undefined);
  const speed = useRef(1);
  useEffect(() => () => audio.current?.pause(), [url]);
  const element = (): HTMLAudioElement | undefined => {
    if (url === undefined || audio.current) return audio.current;
    const made = new Audio(url);
    made.playbackRate = speed.current;
    made.addEventListener('timeupdate', () => void (at.value = made.currentTime));
    for (const event of ['play', 'pause', 'ended'])
      made.addEventListener(event, () => void (isPlaying.value = !made.paused));
    made.addEventListener('error', () => void (problem.value = true));
    audio.current = made;
    return made;
  };
  // Why it cannot play is told by `problem`.
  const play = (): void =>
    void element()
      ?.play()
      .catch(() => undefined);
  return {
    at,
    isPlaying,
    problem,
    toggle() {
      if (audio.current && !audio.current.paused) audio.current.pause();
      else play();
    },
    jump(seconds) {
      const made = element();
      if (!made) return;
      made.currentTime = seconds;
      at.value = seconds;
      play();
    },
    setSpeed(factor) {
      speed.current = factor;
      if (audio.current) audio.current.playbackRate = factor;
    },
  };
}
