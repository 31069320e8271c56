import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { html, Html } from '#platform/http/html'
import type { GuidePage, Library } from '../library.ts'
import { slugOf } from '../slug.ts'

/** - `base`: The path of the guide, such as `/guide`. */
export function renderMarkdown(
  page: Pick<GuidePage, 'file' | 'markdown'>,
  library: Pick<Library, 'byFile'>,
  base: string,
): Html {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = new Html(this.parser.parseInline(tokens))
        const target = targetOf(href, page.file, library, base)
        return (target === undefined ? html`${inner}` : html`<a href="${target}">${inner}</a>`).text
      },
      image({ href, text }: Tokens.Image) {
        return html`<img src="${base}/images/${posix.basename(href)}" alt="${text}" />`.text
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return html`${text}`.text
      },
      table(token: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], name: 'th' | 'td') =>
          row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
        return `<div class="wide" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return new Html(marked.parse(page.markdown, { async: false }))
}

function targetOf(
  href: string,
  from: string,
  { byFile }: Pick<Library, 'byFile'>,
  base: string,
): string | undefined {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href
  const [path = '', anchor] = href.split('#', 2)
  const page = byFile.get(posix.join(posix.dirname(from), path))
  if (page === undefined) return undefined
  return `${base}/${page.path}${anchor === undefined ? '' : `#${anchor}`}`
}
