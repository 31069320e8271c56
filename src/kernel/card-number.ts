const ZERO = 0x30

/** Checks the check digit (ISO/IEC 7812-1, annex B). The number holds digits only. */
export function passesLuhn(number: string): boolean {
  return luhnSum(number) % 10 === 0
}

export function withCheckDigit(digits: string): string {
  return digits + String((10 - (luhnSum(`${digits}0`) % 10)) % 10)
}

export function maskNumber(first6: string, last4: string, length: number): string {
  return first6 + '*'.repeat(Math.max(0, length - first6.length - last4.length)) + last4
}

function luhnSum(number: string): number {
  let sum = 0
  let doubles = number.length % 2 === 0
  for (let index = 0; index < number.length; index++) {
    const value = (number.charCodeAt(index) - ZERO) * (doubles ? 2 : 1)
    sum += value > 9 ? value - 9 : value
    doubles = !doubles
  }
  return sum
}
