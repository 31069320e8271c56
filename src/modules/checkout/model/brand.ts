import type { Branding } from '#modules/businesses'

export interface Brand extends Branding {
  readonly businessId: string
  readonly name: string
}
