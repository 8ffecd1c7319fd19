/** The schema of the file that `--fixtures` names: what a headless Studio answers in place of Roblox. */
import { defineSchema, loadZod } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";

const idSchema = (z: Zod) => z.string().regex(/^[1-9]\d{0,15}$/, "expected an id of digits");

const infoSchema = (z: Zod, what: string) =>
  z.record(z.string(), z.unknown()).optional().describe(`What scripts get as information about the ${what}`);

const peopleSchema = (z: Zod, what: string) =>
  z
    .union([z.boolean(), z.array(z.string().min(1, "expected the name of a player"))], {
      error: "expected true, false or a list of names of players",
    })
    .describe(`Who ${what}: all players (true), none (false), or those of these names`);

export const fixtureSchema = defineSchema((z) =>
  z.strictObject({
    $schema: z.string().optional().describe("Where editors find this schema"),
    marketplace: z
      .strictObject({
        owned: z
          .record(idSchema(z), peopleSchema(z, "owns it"))
          .optional()
          .describe("Passes, assets and bundles by their ids"),
        products: z
          .record(
            idSchema(z),
            z.strictObject({
              info: infoSchema(z, "product"),
              prompt: z
                .enum(["bought", "cancelled"])
                .optional()
                .describe("What a player does who is prompted to buy it"),
            }),
          )
          .optional()
          .describe("Developer products, passes, assets and bundles by their ids"),
      })
      .optional()
      .describe("What MarketplaceService answers"),
    badges: z
      .record(
        idSchema(z),
        z.strictObject({ info: infoSchema(z, "badge"), owned: peopleSchema(z, "has it").optional() }),
      )
      .optional()
      .describe("What BadgeService answers"),
    groups: z
      .record(
        idSchema(z),
        z.strictObject({
          info: infoSchema(z, "group"),
          members: z
            .record(
              z.string(),
              z.strictObject({
                rank: z
                  .int("expected a whole number")
                  .min(1, "expected 1 to 255")
                  .max(255, "expected 1 to 255"),
                role: z.string().min(1, "expected the name of a role"),
              }),
            )
            .default({})
            .describe("The members by the names of players; all other players are none"),
        }),
      )
      .optional()
      .describe("What players are in groups"),
    assets: z
      .record(idSchema(z), z.string().min(1, "expected a file"))
      .optional()
      .describe(
        "Model files, and PNG files for pictures, by ids of assets, relative to this file and not outside of the project",
      ),
    config: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("What ConfigService answers, by the keys of the configuration"),
    secrets: z
      .record(
        z.string().min(1, "expected a name"),
        z.strictObject({
          env: z
            .string()
            .min(1, "expected a variable")
            .describe("The variable of the environment that has it"),
        }),
      )
      .optional()
      .describe("Secrets of HttpService by their names. The file names variables and never has values"),
  }),
);
/** The whole file as JSON Schema, for editors. */
export function fixtureJsonSchema(): unknown {
  const z = loadZod();
  return {
    title: "studio-bridge fixtures",
    ...z.toJSONSchema(fixtureSchema(), { io: "input", target: "draft-7" }),
  };
}
export type FixtureFile = OutputOf<typeof fixtureSchema>;
