import type { WalletName } from '#modules/acquirers'
import { html, type Html } from '#platform/http/html'

/** Our own drawings, which only hint at the colours and letters of the wallets. */
const SHAPES: Readonly<Record<WalletName | 'fps', Html>> = {
  wechat_pay: html`<rect width="38" height="24" rx="4" fill="#07c160" />
    <path
      d="M12 12.5l4.5 4.5L27 7"
      fill="none"
      stroke="#fff"
      stroke-width="3"
      stroke-linecap="round"
      stroke-linejoin="round"
    />`,
  alipay: mark('#1677ff', 'A'),
  alipay_hk: mark('#1677ff', 'HK'),
  fps: mark('#e4002b', 'FPS'),
}

function mark(fill: string, letters: string): Html {
  return html`<rect width="38" height="24" rx="4" fill="${fill}" />
    <text
      x="19"
      y="16.8"
      text-anchor="middle"
      font-family="Arial, sans-serif"
      font-size="13"
      font-weight="700"
      fill="#fff"
    >
      ${letters}
    </text>`
}

/** The mark of the real wallet behind a method, or of FPS. Nothing for the simulator's wallets and for cards. */
export function methodMark(method: string, wallet: WalletName | null): Html | false {
  const shape = method === 'fps' ? SHAPES.fps : wallet === null ? undefined : SHAPES[wallet]
  if (shape === undefined) return false
  return html`<svg class="wallet-mark" viewBox="0 0 38 24" width="38" height="24" aria-hidden="true">
    ${shape}
  </svg>`
}
