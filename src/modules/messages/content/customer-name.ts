const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * What some mail program makes a link to a page of: an e-mail address, a scheme, the name of a Windows server, a dot within the name of
 * a host, an IPv4 address. What follows a dot is a top-level domain from two letters on, so the dots of "J. R. Smith" and "J.R. Smith"
 * are none.
 */
const LINKABLE = /@|\\\\|:[^\s:]|[\p{L}\p{M}\p{N}][.。][\p{L}\p{M}]{2}|\p{N}(?:[.。]\p{N}+){3}/u

/**
 * A customer's name as a message says it; empty where some mail program would find a link in it. Whoever gives somebody else's
 * address and such a name would have the business mail that link.
 */
export function nameInMessages(name: string): string {
  return LINKABLE.test(name.normalize('NFKC').replace(INVISIBLE, '')) ? '' : name
}
