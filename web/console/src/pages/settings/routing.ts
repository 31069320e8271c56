import type { Schemas } from 'quittance'

export type Routing = Schemas['Routing']
export type Rule = Routing['rules'][number] & { readonly key: string }
export type Accounts = readonly Schemas['AcquirerAccount'][]
