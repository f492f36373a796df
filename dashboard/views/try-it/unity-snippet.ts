import { type Call, urlOf } from './call.ts'
import { csharpLiteral } from './literals.ts'

const key = `
            request.SetRequestHeader("X-Api-Key", Environment.GetEnvironmentVariable("API_KEY"));`

const onlyHttps = `    // Unity refuses http:// unless the player settings allow downloads over HTTP.
`

/** The call as a component of Unity 2020.2 or later, whose coroutine writes the answer to the console. */
export const unitySnippet = (
  call: Call,
): string => `${call.caller === 'server' ? 'using System;\n' : ''}using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class PlayerNfts : MonoBehaviour
{
${call.origin.startsWith('http:') ? onlyHttps : ''}    const string Url =
        ${csharpLiteral(urlOf(call))};

    // StartCoroutine(Read(playerToken));
    public IEnumerator Read(string playerToken)
    {
        using (UnityWebRequest request = UnityWebRequest.Get(Url))
        {${call.caller === 'server' ? key : ''}
            request.SetRequestHeader("X-Player-Token", playerToken);
            request.timeout = 30;
            yield return request.SendWebRequest();

            if (request.result != UnityWebRequest.Result.Success)
            {
                Debug.LogError($"{request.error}\\n{request.downloadHandler.text}");
                yield break;
            }
            Debug.Log(request.downloadHandler.text);
        }
    }
}
`
