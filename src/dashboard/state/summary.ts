import { useEffect, useRef } from 'preact/hooks';
import { announceQuietly } from './announce.ts';
import { summaries } from './preferences.ts';

const everyMs = 30_000;

/** Tells a screen reader every 30 s what a live page shows by then, if that changed and the person did not switch it off. */
export function useSummary(text: string): void {
  const latest = useRef(text);
  const told = useRef(text);
  latest.current = text;
  useEffect(() => {
    const timer = setInterval(() => {
      if (summaries.peek() !== 'on' || latest.current === told.current) return;
      told.current = latest.current;
      announceQuietly(latest.current);
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
}
