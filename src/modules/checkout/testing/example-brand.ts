import { NO_BRANDING } from '#modules/businesses'
import type { Brand } from '../model/brand.ts'

export const EXAMPLE_BRAND: Brand = { ...NO_BRANDING, businessId: 'biz_1', name: 'The shop' }
