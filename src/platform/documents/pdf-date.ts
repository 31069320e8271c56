// pdfkit's times are Dates. None is read from the clock here.
/* oxlint-disable no-restricted-globals */

/** @param time RFC 3339 */
export function pdfDate(time: string): Date {
  return new Date(time)
}
