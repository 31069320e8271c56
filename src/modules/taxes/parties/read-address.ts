import { hasPostalCodes } from '#kernel/postal-codes'
import { platformErrors } from '#platform/errors'
import type { Address } from '../model/party.ts'
import type { AddressMembers } from '../model/party-requests.ts'

/** @param kind the member that has the address */
export function readAddress(members: AddressMembers, kind: string): Address {
  const { postal_code: postalCode = null, country } = members
  if (postalCode === null && hasPostalCodes(country)) {
    const param = `${kind}.address.postal_code`
    throw platformErrors.missing_member({
      param,
      message: `${param} is missing: ${country} has postal codes.`,
    })
  }
  return {
    line1: members.line1,
    line2: members.line2 ?? null,
    postalCode,
    city: members.city,
    region: members.region ?? null,
    country,
  }
}
