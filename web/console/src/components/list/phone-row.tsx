import { Link } from '@tanstack/react-router'
import type { ListDefinition } from '#components/list/list-types.ts'
import classes from './data-table.module.css'

interface PhoneRowProps<Row> {
  readonly list: ListDefinition<Row>
  readonly row: Row
  readonly link: string | undefined
  /** Whether the link is reached by Tab. It is not where the row itself is. */
  readonly isTabStop?: boolean
}

/** A row as two lines: what it is and how much, then the details. What can be done with it is below. */
export function PhoneRow<Row>({ list, row, link, isTabStop = false }: PhoneRowProps<Row>) {
  const at = (place: string) =>
    list.columns
      .filter(({ phone }) => phone === place)
      .map(({ id, cell, phoneCell = cell }) => <span key={id}>{phoneCell(row)}</span>)
  const actions = at('actions')
  return (
    <span className={classes.phoneRow}>
      <span>
        {link === undefined ? (
          <span className={classes.phoneTitle}>{at('title')}</span>
        ) : (
          <Link
            to={link}
            className={`${classes.link} ${classes.phoneTitle}`}
            {...(!isTabStop && { tabIndex: -1 })}
          >
            {at('title')}
          </Link>
        )}
        <span className={classes.phoneDetail}>{at('detail')}</span>
      </span>
      <span className={classes.phoneEnd}>
        <span>{at('end')}</span>
        <span className={classes.phoneDetail}>{at('end_detail')}</span>
      </span>
      {actions.length > 0 && <span className={classes.phoneActions}>{actions}</span>}
    </span>
  )
}
