const LATIN = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

/** Outlook takes the first font that is installed, and shows letters that it lacks in a serif one. */
const FONTS: Readonly<Record<string, string>> = {
  ar: `'Segoe UI','Geeza Pro',Tahoma,${LATIN}`,
  ja: `'Hiragino Sans','Yu Gothic UI',Meiryo,'Noto Sans CJK JP',${LATIN}`,
  ko: `'Apple SD Gothic Neo','Malgun Gothic','Noto Sans CJK KR',${LATIN}`,
  th: `'Sukhumvit Set','Leelawadee UI',Thonburi,'Noto Sans Thai',${LATIN}`,
  'zh-Hans': `'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',${LATIN}`,
  'zh-Hant': `'PingFang HK','Microsoft JhengHei','Noto Sans CJK HK',${LATIN}`,
}

export function fontsOf(language: string): string {
  return FONTS[language] ?? LATIN
}
