import { validate as isAbn } from 'stdnum/lib/cjs/au/abn.js'
import { validate as isBelgianVat } from 'stdnum/lib/cjs/be/vat.js'
import { validate as isEan } from 'stdnum/lib/cjs/gen/ean.js'
import { validate as isOrgnr } from 'stdnum/lib/cjs/no/orgnr.js'
import { validate as isSwedishOrgnr } from 'stdnum/lib/cjs/se/orgnr.js'
import { errors } from '../errors.ts'
import type { ElectronicAddress } from '../model/electronic-address.ts'

/** The schemes whose check digits Peppol checks (PEPPOL-COMMON-R040 to R050). */
const CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  '0007': (value) => /^\d{10}$/.test(value) && isSwedishOrgnr(value).isValid,
  '0088': (value) => /^\d{13}$/.test(value) && isEan(value).isValid,
  '0151': (value) => /^\d{11}$/.test(value) && isAbn(value).isValid,
  '0184': (value) => /^(DK)?\d{8}$/.test(value),
  '0192': (value) => /^\d{9}$/.test(value) && isOrgnr(value).isValid,
  '0208': (value) => /^\d{10}$/.test(value) && isBelgianVat(value).isValid,
}

/** @param kind the member that has the address */
export function readElectronicAddress({ scheme, value }: ElectronicAddress, kind: string): ElectronicAddress {
  const written = value.trim()
  if (CHECKS[scheme]?.(written) === false) {
    const param = `${kind}.electronic_address.value`
    throw errors.electronic_address_invalid({
      param,
      message: `${param} is not valid in the scheme ${scheme}.`,
    })
  }
  return { scheme, value: written }
}
