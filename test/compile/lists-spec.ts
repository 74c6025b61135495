/** Lists in every style of pages, and what adds them up. */
export const LISTS_SPEC = `
paths:
  /charges:
    get:
      operationId: listCharges
      parameters:
        - {name: team, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string}}
        - {name: days, in: query, schema: {type: integer}}
        - {name: columns, in: query, schema: {type: array, items: {type: string}}}
        - {name: page, in: query, schema: {type: integer}}
        - {name: offset, in: query, schema: {type: integer}}
        - {name: cursor, in: query, schema: {type: string}}
        - {name: size, in: query, schema: {type: integer, maximum: 500}}
        - {name: per_page, in: query, schema: {type: integer}}
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Charges'}}}}}
    post:
      operationId: addCharges
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Charges'}}}}}
  /charges/query:
    post:
      operationId: queryCharges
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [range]
              properties:
                range: {type: object, required: [from], properties: {from: {type: string}, to: {type: string}}}
                groupBy: {type: array, items: {type: string}}
                team: {type: string}
                pageToken: {type: string}
                pageSize: {type: integer, maximum: 1000}
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Charges'}}}}}
  /charges/total:
    get:
      operationId: totalCharges
      parameters:
        - {name: team, in: query, schema: {type: string}}
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Totals'}}}}}
  /plain:
    get:
      operationId: listPlain
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Charges'}}}}}
components:
  schemas:
    Charges:
      type: object
      properties:
        rows: {type: array, items: {$ref: '#/components/schemas/Charge'}}
        next: {type: string}
        more: {type: boolean}
        total: {type: integer}
        relation: {type: string}
        estimated: {type: boolean}
    Charge:
      type: object
      properties:
        id: {type: string}
        team: {type: string}
        cost: {type: number}
        tax: {type: string}
        currency: {type: string}
        paid: {type: boolean}
    Totals:
      type: object
      properties:
        sum: {type: number}
        currency: {type: string}
        sums: {type: array, items: {type: object, properties: {value: {type: number}, unit: {type: string}}}}
        names: {type: array, items: {type: string}}
        stale: {type: boolean}
`;
