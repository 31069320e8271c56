type FormValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue }

export type Form = Readonly<Record<string, FormValue>>

export type FormOf<Params> = { readonly [Name in keyof Params]?: FormValue }

export function encodeForm(form: Form): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) append(fields, name, value)
  return fields.toString()
}

function append(fields: URLSearchParams, name: string, value: FormValue): void {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) {
    for (const one of value) append(fields, `${name}[]`, one)
  } else if (typeof value === 'object') {
    for (const [member, inner] of Object.entries(value)) append(fields, `${name}[${member}]`, inner)
  } else {
    fields.append(name, String(value))
  }
}
