/** Countries by the city of their time zone, where it leaves no doubt. */
const countries: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'AT Vienna,BE Brussels,BG Sofia,CH Zurich,CZ Prague,DE Berlin,DK Copenhagen,EE Tallinn,ES Madrid,FI Helsinki,FR Paris',
    'GB London,GR Athens,HR Zagreb,HU Budapest,IE Dublin,IS Reykjavik,IT Rome,LT Vilnius,LU Luxembourg,LV Riga,NL Amsterdam',
    'NO Oslo,PL Warsaw,PT Lisbon,RO Bucharest,RS Belgrade,SE Stockholm,SI Ljubljana,SK Bratislava,TR Istanbul,UA Kyiv,UA Kiev',
    'AE Dubai,CN Shanghai,HK Hong_Kong,ID Jakarta,IL Jerusalem,IN Kolkata,IN Calcutta,JP Tokyo,KR Seoul,MY Kuala_Lumpur',
    'PH Manila,SA Riyadh,SG Singapore,TH Bangkok,TW Taipei,VN Ho_Chi_Minh,VN Saigon,AU Sydney,AU Melbourne,AU Brisbane,AU Perth',
    'NZ Auckland,US New_York,US Chicago,US Denver,US Phoenix,US Los_Angeles,US Anchorage,US Honolulu,CA Toronto,CA Vancouver',
    'MX Mexico_City,BR Sao_Paulo,CL Santiago,CO Bogota,PE Lima,EG Cairo,KE Nairobi,MA Casablanca,NG Lagos,ZA Johannesburg',
  ]
    .flatMap((line) => line.split(','))
    .map((entry) => [entry.slice(3), entry.slice(0, 2)]),
);

/** The country of a time zone, two letters; '' where it is not known. */
export const countryOfZone = (zone: string): string => countries[zone.split('/').at(-1) ?? ''] ?? '';
