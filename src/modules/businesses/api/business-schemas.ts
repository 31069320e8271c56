import Type from 'typebox'
import { OneOf, Resource, strictObject } from '#platform/http/validation/schemas'
import { BusinessEdit } from '../profiles/edit-business.ts'

export const BusinessBody = strictObject({ business: BusinessEdit })

const BusinessSchema = Resource('Business', {
  code: Type.String({ description: 'The value of X-P-Customer-Code' }),
  environment: OneOf(['test', 'live']),
  name: Type.String(),
  time_zone: Type.String(),
  currency: Type.String(),
})

export const BusinessData = Type.Object({ business: BusinessSchema })
