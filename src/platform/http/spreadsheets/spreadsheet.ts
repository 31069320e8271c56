import Type, { type Static } from 'typebox'
import { platformErrors } from '#platform/errors'
import { csvLine } from '#platform/http/routes/csv'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import { OneOf, Text } from '#platform/http/validation/schemas'

const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
type Language = (typeof LANGUAGES)[number]

interface Column<Row> {
  readonly names: Readonly<Record<Language, string>>
  readonly value: (row: Row) => string
}

export type Columns<Row> = Readonly<Record<string, Column<Row>>>

export function column<Row>(
  en: string,
  zhHant: string,
  zhHans: string,
  value: (row: Row) => string,
): Column<Row> {
  return { names: { en, 'zh-Hant': zhHant, 'zh-Hans': zhHans }, value }
}

export function spreadsheetQuery(columns: Columns<never>) {
  return {
    columns: Type.Optional(
      Text({
        max: 1_000,
        description: `Which columns, in their order, separated by commas: ${names(columns)}.`,
      }),
    ),
    language: Type.Optional(OneOf(LANGUAGES, { description: 'Of the names of columns, default `en`.' })),
  }
}

export type SpreadsheetQuery = Static<Type.TObject<ReturnType<typeof spreadsheetQuery>>>

export const SpreadsheetText = Type.String({ description: 'UTF-8 with a byte order mark.' })

/** Excel reads a file without it in the code page of the computer. */
const BYTE_ORDER_MARK = '\uFEFF'

export async function spreadsheet<Row>(
  name: string,
  known: Columns<Row>,
  { columns, language = 'en' }: SpreadsheetQuery,
  pages: AsyncIterator<readonly Row[]>,
): Promise<StreamedFile> {
  const chosen = columns === undefined ? Object.values(known) : chosenColumns(columns, known)
  const first = await pages.next()
  async function* lines(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(chosen.map((one) => one.names[language]))
    for (let page = first; page.done !== true; page = await pages.next()) {
      yield page.value.map((row) => csvLine(chosen.map(({ value }) => value(row)))).join('')
    }
  }
  return new StreamedFile(`${name}.csv`, lines())
}

function chosenColumns<Row>(text: string, known: Columns<Row>): Column<Row>[] {
  return text.split(',').map((name) => {
    const found = Object.hasOwn(known, name.trim()) ? known[name.trim()] : undefined
    if (found !== undefined) return found
    const message = `columns must be names of columns, separated by commas: ${names(known)}.`
    throw platformErrors.invalid_query_value({ param: 'columns', message })
  })
}

function names(columns: Columns<never>): string {
  return Object.keys(columns).join(', ')
}
