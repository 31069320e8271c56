import type { TaxesDependencies } from './dependencies.ts'

export type TaxesContext = TaxesDependencies
