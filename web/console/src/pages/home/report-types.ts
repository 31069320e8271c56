import type { Schemas } from 'quittance'

export type Overview = Schemas['Overview']
export type Attention = Schemas['Attention']
