import type { AcquirerAdapter, AcquirerName } from '../port/adapter.ts'

export const ADAPTERS = {} as Readonly<Record<AcquirerName, AcquirerAdapter>>
