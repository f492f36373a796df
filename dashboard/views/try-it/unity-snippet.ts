import { type Call, cursorStart, urlOf } from './call.ts'
import { csharpLiteral } from './literals.ts'

const key = `
                request.SetRequestHeader("X-Api-Key", Environment.GetEnvironmentVariable("API_KEY"));`

const onlyHttps = `    // Unity refuses http:// unless the player settings allow downloads over HTTP.
`

/** The call as a component of Unity 2020.2 or later, whose coroutine writes the answer to the console. */
export const unitySnippet = (call: Call): string => `using System;
using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class PlayerNfts : MonoBehaviour
{
${call.origin.startsWith('http:') ? onlyHttps : ''}    const string Url =
        ${csharpLiteral(urlOf(call))};

    [Serializable]
    class Page { public string nextCursor; }

    // StartCoroutine(Read(playerToken));
    public IEnumerator Read(string playerToken)
    {
        string url = Url;
        while (url != null)
        {
            using (UnityWebRequest request = UnityWebRequest.Get(url))
            {${call.caller === 'server' ? key : ''}
                request.SetRequestHeader("X-Player-Token", playerToken);
                request.timeout = 30;
                yield return request.SendWebRequest();

                string text = request.downloadHandler.text;
                if (request.result != UnityWebRequest.Result.Success)
                {
                    Debug.LogError($"{request.error}\\n{text}");
                    yield break;
                }
                Debug.Log(text);
                // A page can be short or empty: only a missing nextCursor means the end.
                string cursor = JsonUtility.FromJson<Page>(text).nextCursor;
                url = string.IsNullOrEmpty(cursor)
                    ? null
                    : Url + "${cursorStart(call)}" + UnityWebRequest.EscapeURL(cursor);
            }
        }
    }
}
`
