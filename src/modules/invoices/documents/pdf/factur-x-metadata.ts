export const FACTUR_X = {
  fileName: 'factur-x.xml',
  namespace: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
}

const PROPERTIES = {
  DocumentType: { value: 'INVOICE', description: 'The type of the hybrid document' },
  DocumentFileName: { value: FACTUR_X.fileName, description: 'The name of the embedded XML file' },
  Version: { value: '1.0', description: 'The version of the standard that applies to the XML' },
  ConformanceLevel: { value: 'EN 16931', description: 'The profile of the XML' },
}

/** The XMP packet of Factur-X 1.0, section 6.2.2, with the schema of its members that PDF/A requires. */
export const FACTUR_X_METADATA = `
<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X.namespace}">
${Object.entries(PROPERTIES)
  .map(([name, { value }]) => `<fx:${name}>${value}</fx:${name}>`)
  .join('\n')}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${FACTUR_X.namespace}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${Object.entries(PROPERTIES)
  .map(
    ([name, { description }]) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`,
  )
  .join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
`
