import { say } from '#kernel/say'
import { html, type Html } from '#platform/http/html'
import type { CheckoutDependencies } from '../../dependencies.ts'
import type { Brand } from '../../model/brand.ts'
import { type Words } from '../../words/words.ts'

export async function readBrand(
  { businesses }: Pick<CheckoutDependencies, 'businesses'>,
  businessId: string,
): Promise<Brand> {
  const [{ name }, branding] = await Promise.all([
    businesses.profile(businessId),
    businesses.branding(businessId),
  ])
  return { ...branding, businessId, name: branding.displayName ?? name }
}

const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

export function brandHead({ color }: Brand, basePath: string): Html | false {
  return (
    color !== null && html`<link rel="stylesheet" href="${basePath}/checkout/colors/${color.slice(1)}.css" />`
  )
}

export function brandHeader({ businessId, name, logo }: Brand, basePath: string): Html {
  const image =
    logo !== null &&
    html`<img
      class="logo"
      src="${basePath}/checkout/logos/${businessId}/${logo.hash}.${EXTENSIONS[logo.type]}"
      alt=""
    />`
  return html`<p class="merchant">${image}<span>${name}</span></p>`
}

export function brandFooter(brand: Brand, words: Words): Html | false {
  const { name, email, phone, website, termsUrl, privacyUrl } = brand
  const contacts = [
    email !== null && link(`mailto:${email}`, email),
    phone !== null && link(`tel:${phone.replace(/[^+\d]/g, '')}`, html`<bdi>${phone}</bdi>`),
    website !== null && link(website, new URL(website).host),
  ].filter((one) => one !== false)
  const documents = [
    termsUrl !== null && link(termsUrl, words.terms),
    privacyUrl !== null && link(privacyUrl, words.privacy),
  ].filter((one) => one !== false)
  if (contacts.length + documents.length === 0) return false
  return html`<footer>
    ${
      contacts.length > 0 &&
      html`<p>${say(words.contact, { name })}</p>
        ${list(contacts)}`
    }
    ${documents.length > 0 && list(documents)}
  </footer>`
}

function link(url: string, text: Html | string): Html {
  return html`<a href="${url}" ${/^https?:/i.test(url) && html` target="_blank" rel="noopener noreferrer"`}
    >${text}</a
  >`
}

function list(items: readonly Html[]): Html {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`
}
