import { ListPage } from '#components/list/list-page.tsx'
import { cardList } from '#pages/cards/card-list.tsx'

export function CardListPage() {
  return <ListPage list={cardList} />
}
