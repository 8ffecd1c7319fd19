/** The host's part of SerializationService: turns binary model files into Instances and back. */
import { openClassData } from "../../roblox/class-data.ts";
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { readBinaryModel } from "../../roblox/binary-reader.ts";
import { writeBinaryModel } from "../../roblox/binary-writer.ts";
import { decodeEngineModel, encodeEngineModel } from "./engine-bytes.ts";
import { IDENTITIES } from "./kept-values.ts";
import { FileSchema } from "../../roblox/schema.ts";
import { toEngineModel } from "./to-engine.ts";
import { toFileModel } from "./to-file.ts";

/** `classData` gives the text of build/classes.txt, which is read at the first call. */
export function fileHandlers(classData: () => string): Pick<HostOpHandlers, "readModel" | "writeModel"> {
  let made: FileSchema | undefined;
  const schema = (): FileSchema => (made ??= new FileSchema(openClassData(classData())));
  return {
    readModel: ({ first }) => {
      const { model } = readBinaryModel(first, IDENTITIES);
      return { text: encodeEngineModel(toEngineModel(model, schema()).model) };
    },
    writeModel: ({ first }) => ({
      text: writeBinaryModel(toFileModel(decodeEngineModel(first), schema()), (className) =>
        schema().isService(className),
      ),
    }),
  };
}
