import { invalid } from './errors.ts'

export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Members of a request's body, checked as they are read. */
export class Body {
  readonly json: Json

  constructor(json: Json) {
    this.json = json
  }

  static parse(text: string): Body {
    try {
      const value: unknown = JSON.parse(text === '' ? '{}' : text)
      if (isObject(value)) return new Body(value)
    } catch {
      // Answered below.
    }
    throw invalid('body', 'must be a JSON object')
  }

  text(name: string, maxLength = 255): string | undefined {
    const value = this.json[name]
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') throw invalid(name, 'must be a string')
    if (value.length > maxLength) throw invalid(name, `must have at most ${maxLength} characters`)
    return value
  }

  required(name: string, maxLength?: number): string {
    const value = this.text(name, maxLength)
    if (value === undefined || value === '') throw invalid(name, 'must not be empty')
    return value
  }

  number(name: string): number | undefined {
    const value = this.json[name]
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'number') throw invalid(name, 'must be a number')
    return value
  }

  object(name: string): Body | undefined {
    const value = this.json[name]
    if (value === undefined || value === null) return undefined
    if (!isObject(value)) throw invalid(name, 'must be an object')
    return new Body(value)
  }

  /** At most 50 keys of 50 characters, with texts of at most 500. */
  metadata(): Readonly<Record<string, string>> | undefined {
    const given = this.object('metadata')
    if (given === undefined) return undefined
    const entries = Object.entries(given.json)
    const isTaken = entries.every(
      ([key, value]) => key.length <= 50 && typeof value === 'string' && value.length <= 500,
    )
    if (entries.length > 50 || !isTaken) throw invalid('metadata', 'is too large')
    return given.json as Readonly<Record<string, string>>
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const found = choices.find((one) => one === value)
    if (found === undefined) throw invalid(name, `must be one of ${choices.join(', ')}`)
    return found
  }
}
