/**
 * The names of ActiveSupport that are the last part of an IANA name, as those of Europe and Asia mostly
 * are, by the part before it.
 */
const citiesByArea: Readonly<Record<string, readonly string[]>> = {
  Africa: ['Cairo', 'Casablanca', 'Harare', 'Monrovia', 'Nairobi'],
  America: [
    ...['Bogota', 'Caracas', 'Chihuahua', 'La Paz', 'Lima', 'Mazatlan', 'Mexico City'],
    ...['Monterrey', 'Montevideo', 'Puerto Rico', 'Santiago', 'Tijuana'],
  ],
  Asia: [
    ...['Almaty', 'Baghdad', 'Baku', 'Bangkok', 'Chongqing', 'Dhaka', 'Hong Kong', 'Irkutsk'],
    ...['Jakarta', 'Jerusalem', 'Kabul', 'Kamchatka', 'Karachi', 'Kathmandu', 'Kolkata'],
    ...['Krasnoyarsk', 'Kuala Lumpur', 'Kuwait', 'Magadan', 'Muscat', 'Novosibirsk', 'Rangoon'],
    ...['Riyadh', 'Seoul', 'Singapore', 'Srednekolymsk', 'Taipei', 'Tashkent', 'Tbilisi'],
    ...['Tehran', 'Tokyo', 'Ulaanbaatar', 'Urumqi', 'Vladivostok', 'Yakutsk', 'Yerevan'],
  ],
  Atlantic: ['Azores'],
  Australia: ['Adelaide', 'Brisbane', 'Darwin', 'Hobart', 'Melbourne', 'Perth', 'Sydney'],
  Europe: [
    ...['Amsterdam', 'Athens', 'Belgrade', 'Berlin', 'Bratislava', 'Brussels', 'Bucharest'],
    ...['Budapest', 'Copenhagen', 'Dublin', 'Helsinki', 'Istanbul', 'Kaliningrad', 'Lisbon'],
    ...['Ljubljana', 'London', 'Madrid', 'Minsk', 'Moscow', 'Paris', 'Prague', 'Riga', 'Rome'],
    ...['Samara', 'Sarajevo', 'Skopje', 'Sofia', 'Stockholm', 'Tallinn', 'Vienna', 'Vilnius'],
    ...['Volgograd', 'Warsaw', 'Zagreb', 'Zurich'],
  ],
  Pacific: ['Auckland', 'Fiji', 'Guam', 'Port Moresby'],
};

/** The other names of ActiveSupport. */
const otherNames: Readonly<Record<string, string>> = {
  'Abu Dhabi': 'Asia/Muscat',
  Alaska: 'America/Juneau',
  'American Samoa': 'Pacific/Pago_Pago',
  Arizona: 'America/Phoenix',
  Astana: 'Asia/Dhaka',
  'Atlantic Time (Canada)': 'America/Halifax',
  Beijing: 'Asia/Shanghai',
  Bern: 'Europe/Zurich',
  Brasilia: 'America/Sao_Paulo',
  'Buenos Aires': 'America/Argentina/Buenos_Aires',
  Canberra: 'Australia/Melbourne',
  'Cape Verde Is.': 'Atlantic/Cape_Verde',
  'Central America': 'America/Guatemala',
  'Central Time (US & Canada)': 'America/Chicago',
  'Chatham Is.': 'Pacific/Chatham',
  Chennai: 'Asia/Kolkata',
  'Eastern Time (US & Canada)': 'America/New_York',
  Edinburgh: 'Europe/London',
  Ekaterinburg: 'Asia/Yekaterinburg',
  Georgetown: 'America/Guyana',
  Greenland: 'America/Godthab',
  Guadalajara: 'America/Mexico_City',
  Hanoi: 'Asia/Bangkok',
  Hawaii: 'Pacific/Honolulu',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  'International Date Line West': 'Pacific/Midway',
  Islamabad: 'Asia/Karachi',
  Kyiv: 'Europe/Kiev',
  'Marshall Is.': 'Pacific/Majuro',
  'Mid-Atlantic': 'Atlantic/South_Georgia',
  'Midway Island': 'Pacific/Midway',
  'Mountain Time (US & Canada)': 'America/Denver',
  Mumbai: 'Asia/Kolkata',
  'New Caledonia': 'Pacific/Noumea',
  'New Delhi': 'Asia/Kolkata',
  Newfoundland: 'America/St_Johns',
  "Nuku'alofa": 'Pacific/Tongatapu',
  Osaka: 'Asia/Tokyo',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  Pretoria: 'Africa/Johannesburg',
  Quito: 'America/Lima',
  Samoa: 'Pacific/Apia',
  Sapporo: 'Asia/Tokyo',
  Saskatchewan: 'America/Regina',
  'Solomon Is.': 'Pacific/Guadalcanal',
  'Sri Jayawardenepura': 'Asia/Colombo',
  'St. Petersburg': 'Europe/Moscow',
  'Tokelau Is.': 'Pacific/Fakaofo',
  UTC: 'Etc/UTC',
  Wellington: 'Pacific/Auckland',
  'West Central Africa': 'Africa/Algiers',
};

const railsNames: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherNames),
  ...Object.entries(citiesByArea).flatMap(([area, cities]) =>
    cities.map((city) => [city, `${area}/${city.replaceAll(' ', '_')}`] as const),
  ),
]);

/** Without offsets such as `+02:00`, which Intl accepts. */
const ianaShape = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** The IANA name of a time zone, given by that name or by the one of ActiveSupport; null if unknown. */
export function timeZoneOf(name: string): string | null {
  const zone = railsNames.get(name) ?? name;
  if (!ianaShape.test(zone)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
