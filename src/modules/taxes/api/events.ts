import type { TaxRateEvent } from '../model/tax-rate.ts'
import { TaxRateData } from './rate.schemas.ts'

export const TAX_EVENTS = { 'tax_rate.created': TaxRateData } as const satisfies Record<TaxRateEvent, object>
