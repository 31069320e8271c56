/** Generated from layout.mjml: npm run mail-layout */
import { html, type Html } from '#platform/http/html'
import type { MailLayout } from './mail-layout.ts'

export function layoutOf(mail: MailLayout): Html {
  return html`<!doctype html>
<html lang="${mail.language}" dir="${mail.direction}" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>${mail.subject}</title>
<!--[if !mso]><!-->
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
#outlook a { padding:0; }
body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
table, td { border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt; }
img { border:0;height:auto;line-height:100%; outline:none;text-decoration:none;-ms-interpolation-mode:bicubic; }
p { display:block;margin:13px 0; }
</style>
<!--[if mso]>
<noscript>
<xml>
<o:OfficeDocumentSettings>
<o:AllowPNG/>
<o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings>
</xml>
</noscript>
<![endif]-->
<!--[if lte mso 11]>
<style type="text/css">
.mj-outlook-group-fix { width:100% !important; }
</style>
<![endif]-->
<style type="text/css">
@media only screen and (min-width:480px) {
.mj-column-per-100 { width:100% !important; max-width: 100%; }
}
</style>
<style media="screen and (min-width:480px)">
.moz-text-html .mj-column-per-100 { width:100% !important; max-width: 100%; }
</style>
<style type="text/css">
@media only screen and (max-width:479px) {
table.mj-full-width-mobile { width: 100% !important; }
td.mj-full-width-mobile { width: auto !important; }
}
</style>
<style type="text/css">
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { color: ${mail.accent}; }
.paragraph div { overflow-wrap: anywhere; word-break: ${mail.wordBreak}; }
@media only screen and (max-width: 479px) { .brand > table > tbody > tr > td, .note > table > tbody > tr > td, .paper > table > tbody > tr > td, .foot > table > tbody > tr > td { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
body,
body > div { background: #16171a !important; background-color: #16171a !important; }
.paper, .paper > table { background: #202226 !important; background-color: #202226 !important; }
.ink, .ink div { color: #ececee !important; }
.soft, .soft div { color: #a9adb5 !important; }
.line { border-color: #3a3d44 !important; }
.note, .note > table { background: #362c14 !important; background-color: #362c14 !important; }
.note div { color: #f2cf83 !important; }
a { color: ${mail.darkAccent} !important; }
.paper > table > tbody > tr > td { border-color: ${mail.darkAccent} !important; }
.button td, .button a { background: ${mail.darkAccent} !important; background-color: ${mail.darkAccent} !important; }
.button a { color: ${mail.onDarkAccent} !important; }
}
</style>
<meta name="color-scheme" content="light dark" /> <meta name="supported-color-schemes" content="light
dark" /> <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
</head>
<body  class="ground" style="word-spacing:normal;background-color:#f6f6f4;">
<div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">${mail.preheader}</div>
<div
aria-label="${mail.subject}" aria-roledescription="email" role="article" lang="${mail.language}" dir="${mail.direction}" style="word-spacing:normal;background-color:#f6f6f4;">
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="brand-outlook" role="presentation" style="width:600px;" width="600" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  class="brand" style="margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;">
<tbody>
<tr>
<td
style="direction:${mail.direction};font-size:0px;padding:28px 32px 20px;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:536px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:${mail.direction};display:inline-block;vertical-align:top;width:100%;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%">
<tbody>
<tr>
<td  style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%">
<tbody>
${mail.logo && html`
<tr>
<td
align="${mail.start}" class="logo" style="font-size:0px;padding:0 0 10px;word-break:break-word;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:collapse;border-spacing:0px;">
<tbody>
<tr>
<td  style="width:40px;">
<img
alt="" src="${mail.logo}" style="border:0;display:block;outline:none;text-decoration:none;height:40px;width:100%;font-size:13px;" width="40" height="40" />
</td>
</tr>
</tbody>
</table>
</td>
</tr>
`}
<tr>
<td
align="${mail.start}" class="ink" style="font-size:0px;padding:0;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:18px;font-weight:600;line-height:24px;text-align:${mail.start};color:#1b1b1f;">${mail.business}</div>
</td>
</tr>
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
${mail.testMode && html`
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="note-outlook" role="presentation" style="width:600px;" width="600" bgcolor="#fff4d9" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  class="note" style="background:#fff4d9;background-color:#fff4d9;margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:#fff4d9;background-color:#fff4d9;width:100%;">
<tbody>
<tr>
<td
style="direction:${mail.direction};font-size:0px;padding:10px 32px;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:536px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:${mail.direction};display:inline-block;vertical-align:top;width:100%;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%">
<tbody>
<tr>
<td  style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%">
<tbody>
<tr>
<td
align="${mail.start}" style="font-size:0px;padding:0;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:14px;line-height:20px;text-align:${mail.start};color:#7a5200;">${mail.testMode}</div>
</td>
</tr>
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
`}
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="paper-outlook" role="presentation" style="width:600px;" width="600" bgcolor="#ffffff" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  class="paper" style="background:#ffffff;background-color:#ffffff;margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:#ffffff;background-color:#ffffff;width:100%;">
<tbody>
<tr>
<td
style="border-top:4px solid ${mail.button};direction:${mail.direction};font-size:0px;padding:28px 32px 32px;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:536px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:${mail.direction};display:inline-block;vertical-align:top;width:100%;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%">
<tbody>
<tr>
<td  style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%">
<tbody>
<tr>
<td
align="${mail.start}" class="ink paragraph" style="font-size:0px;padding:0 0 4px;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:20px;font-weight:600;line-height:28px;text-align:${mail.start};color:#1b1b1f;"><h1 style="margin: 0; font-size: 20px; font-weight: 600; line-height: 28px">
${mail.title}
</h1></div>
</td>
</tr>
${mail.amount && html`
<tr>
<td
align="${mail.start}" class="ink" style="font-size:0px;padding:0 0 4px;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:32px;font-weight:600;line-height:40px;text-align:${mail.start};color:#1b1b1f;"><bdi>${mail.amount}</bdi></div>
</td>
</tr>
`}${mail.paragraphs.map((paragraph) => html`
<tr>
<td
align="${mail.start}" class="ink paragraph" style="font-size:0px;padding:12px 0 0;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:16px;line-height:24px;text-align:${mail.start};color:#1b1b1f;">${paragraph}</div>
</td>
</tr>
`)}${mail.action && html`
<tr>
<td
align="${mail.start}" class="button" style="font-size:0px;padding:24px 0 0;word-break:break-word;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;">
<tbody>
<tr>
<td
align="center" bgcolor="${mail.button}" role="presentation" style="border:none;border-radius:6px;cursor:auto;mso-padding-alt:13px 24px;background:${mail.button};" valign="middle">
<a
href="${mail.action.url}" style="display:inline-block;background:${mail.button};color:${mail.onButton};font-family:${mail.fonts};font-size:16px;font-weight:600;line-height:20px;margin:0;text-decoration:none;text-transform:none;padding:13px 24px;mso-padding-alt:0px;border-radius:6px;" target="_blank">
${mail.action.label}
</a>
</td>
</tr>
</tbody>
</table>
</td>
</tr>
`}${mail.otherAction && html`
<tr>
<td
align="${mail.start}" class="ink" style="font-size:0px;padding:16px 0 0;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:16px;line-height:24px;text-align:${mail.start};color:#1b1b1f;">${mail.otherAction}</div>
</td>
</tr>
`}${mail.hasFacts && html`
<tr>
<td
align="left" style="font-size:0px;padding:24px 0 0;word-break:break-word;">
<table
cellpadding="0" cellspacing="0" width="100%" border="0" style="color:#000000;font-family:${mail.fonts};font-size:15px;line-height:22px;table-layout:auto;width:100%;border:none;">
${mail.facts.map((fact) => html`
<tr>
<th scope="row" class="soft line" align="${mail.start}" valign="top" style="font-weight:400;border-bottom:1px solid #d9dade;color:#5c5f66;padding:9px 0;overflow-wrap:break-word;word-break:keep-all">${fact.label}</th>
<td class="ink line" align="${mail.end}" valign="top" style="font-weight:400;border-bottom:1px solid #d9dade;color:#1b1b1f;padding:9px 0;padding-${mail.start}:16px;overflow-wrap:anywhere"><bdi>${fact.value}</bdi></td>
</tr>
`)}
</table>
</td>
</tr>
`}${mail.hasLines && html`
<tr>
<td
align="left" style="font-size:0px;padding:24px 0 0;word-break:break-word;">
<table
cellpadding="0" cellspacing="0" width="100%" border="0" style="color:#000000;font-family:${mail.fonts};font-size:15px;line-height:22px;table-layout:auto;width:100%;border:none;">
${mail.lines.map((line) => html`
<tr>
<th scope="row" class="ink line" align="${mail.start}" valign="top" style="font-weight:400;border-bottom:1px solid #d9dade;color:#1b1b1f;padding:9px 0;overflow-wrap:anywhere"><bdi>${line.label}</bdi></th>
<td class="ink line" align="${mail.end}" valign="top" style="font-weight:400;border-bottom:1px solid #d9dade;color:#1b1b1f;padding:9px 0;padding-${mail.start}:16px;white-space:nowrap"><bdi>${line.amount}</bdi></td>
</tr>
`)}
${mail.sums.map((sum) => html`
<tr>
<th scope="row" class="ink" align="${mail.start}" valign="top" style="font-weight:700;color:#1b1b1f;padding:9px 0;overflow-wrap:anywhere">${sum.label}</th>
<td class="ink" align="${mail.end}" valign="top" style="font-weight:700;color:#1b1b1f;padding:9px 0;padding-${mail.start}:16px;white-space:nowrap"><bdi>${sum.value}</bdi></td>
</tr>
`)}
</table>
</td>
</tr>
`}${mail.closing.map((paragraph) => html`
<tr>
<td
align="${mail.start}" class="ink paragraph" style="font-size:0px;padding:20px 0 0;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:16px;line-height:24px;text-align:${mail.start};color:#1b1b1f;">${paragraph}</div>
</td>
</tr>
`)}
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><table align="center" border="0" cellpadding="0" cellspacing="0" class="foot-outlook" role="presentation" style="width:600px;" width="600" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  class="foot" style="margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;">
<tbody>
<tr>
<td
style="direction:${mail.direction};font-size:0px;padding:20px 32px 36px;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:536px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:${mail.direction};display:inline-block;vertical-align:top;width:100%;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%">
<tbody>
<tr>
<td  style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%">
<tbody>
${mail.footer.map((paragraph) => html`
<tr>
<td
align="${mail.start}" class="soft paragraph" style="font-size:0px;padding:0 0 6px;word-break:break-word;">
<div
style="font-family:${mail.fonts};font-size:13px;line-height:20px;text-align:${mail.start};color:#5c5f66;">${paragraph}</div>
</td>
</tr>
`)}
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</div>
</body>
</html>`
}
