/** interface §9: the version of this gateway's description, in date form. */
export const API_DATE = '2026-11-20';
