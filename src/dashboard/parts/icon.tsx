/** Drawings of one line on 16 × 16. */
const paths = {
  overview: 'M2 9.5 8 3l6 6.5M4 8v5.5h8V8',
  campaigns: 'M2.5 6.5v3l7 3.5V3zM9.5 6c1.5 0 2.5.8 2.5 2s-1 2-2.5 2M4.5 10l.8 3.5',
  calls: 'M3 2.5h2.5L7 6 5.3 7.2a8 8 0 0 0 3.5 3.5L10 9l3.5 1.5V13c0 .5-.5 1-1 1C6.5 13.5 2.5 9.5 2 3.5c0-.5.5-1 1-1z',
  analytics: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  contacts: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-2.5 2.5-3.5 5-3.5s4.5 1 5 3.5',
  doNotCall: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM4 4l8 8',
  agents: 'M4 6v4M8 3v10M12 5.5v5M2 7.5v1M14 7.5v1M6 5v6M10 6.5v3',
  knowledge: 'M3 2.5h7l3 3v8H3zM10 2.5v3h3M5.5 8.5h5M5.5 11h5',
  numbers: 'M6 2.5 4.5 13.5M11.5 2.5 10 13.5M3 6h10.5M2.5 10H13',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5',
  deliveries: 'M2 8h8M7 5l3 3-3 3M12.5 3v10',
  people:
    'M6 8a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 6 8zM1.5 13c.3-2 2-3 4.5-3s4.2 1 4.5 3M11 4a2 2 0 0 1 0 4M12 10c1.5.3 2.3 1.3 2.5 3',
  audit: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  system:
    'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 2v2M8 12v2M2 8h2M12 8h2M3.8 3.8l1.4 1.4M10.8 10.8l1.4 1.4M3.8 12.2l1.4-1.4M10.8 5.2l1.4-1.4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3',
  stop: 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM6 6h4v4H6z',
  go: 'M5 3.5v9l7.5-4.5z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  alert: 'M8 2.5 14 13.5H2zM8 6.5v3M8 11.5v.1',
  wall: 'M2 3h12v8H2zM6 13.5h4',
  plus: 'M8 3v10M3 8h10',
  microphone: 'M8 10a2 2 0 0 0 2-2V4.5a2 2 0 1 0-4 0V8a2 2 0 0 0 2 2zM4 8a4 4 0 0 0 8 0M8 12v2',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
};

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
