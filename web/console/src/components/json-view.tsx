import { CopyButton, Button, ScrollArea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './json-view.module.css'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

interface JsonViewProps {
  /** A JSON text, or a value. */
  readonly value: unknown
  readonly label?: string
}

export function JsonView({ value, label }: JsonViewProps) {
  const { t } = useTranslation('components')
  const text = typeof value === 'string' ? indented(value) : JSON.stringify(value, null, 2)
  return (
    <div className={classes.frame}>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button className={classes.copy ?? ''} size="compact-xs" variant="default" onClick={copy}>
            {t(copied ? 'copy.done' : 'copy.copy')}
          </Button>
        )}
      </CopyButton>
      <ScrollArea.Autosize
        mah={420}
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': label ?? 'JSON', role: 'group' }}
      >
        <pre className={classes.code}>{coloured(text)}</pre>
      </ScrollArea.Autosize>
    </div>
  )
}

/** Indents without reading numbers, which would round large ones. Other text stays as it is. */
function indented(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+|[{[]\s*[}\]]|[{}[\],:]/g, (token) => {
    if (/^\s/.test(token)) return ''
    if (/^[{[]\s*[}\]]$/.test(token)) return token.replace(/\s/g, '')
    if (token === '{' || token === '[') {
      depth++
      return token + line()
    }
    if (token === '}' || token === ']') {
      depth--
      return line() + token
    }
    if (token === ',') return token + line()
    return token === ':' ? ': ' : token
  })
}

function coloured(text: string) {
  const parts: React.ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    parts.push(text.slice(end, match.index))
    end = match.index + match[0].length
    const [token, string, colon] = match
    const kind = string === undefined ? 'value' : colon === undefined ? 'string' : 'name'
    parts.push(
      <span key={match.index} data-kind={kind}>
        {string ?? token}
      </span>,
      colon,
    )
  }
  parts.push(text.slice(end))
  return parts
}
