<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Foreword</name>
    <message>
      <location filename="app/application.py" />
      <source>Load again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/application.py" />
      <source>Speculation is off.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/application.py" />
      <source>The last change to your chats could not be saved: {error}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/application.py" />
      <source>This takes effect when the model is loaded again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>"{title}" was deleted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>This chat cannot be read: the file that keeps it is damaged.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>Undo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>Foreword is replying in "{title}".</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>New chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>Only the last reply can be continued. Start a new chat from this one to continue it there.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>The chat is longer than the model can read; its oldest messages are left out: {count}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>Attach text or code files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>The files are being read…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>The size of the files is being counted…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>pasted {number}.txt</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>{count:,} lines</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>{count:,} of {room:,} tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>{count:,} tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>{name} takes {tokens:,} tokens and only {room:,} have room, so it was not attached. Attach a part of it, or load the model with a longer context.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/drafting.py" />
      <source>Forget {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/drafting.py" />
      <source>Open a draft model's folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/folder_dialog.py" />
      <source>Which GGUF file?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Converting {name}, once</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Downloading {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Loading libraries…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Loading {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Reading the vocabulary of {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Warming up {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>the model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{count} h</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{count} min</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{count} s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{done} of {total}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{speed}/s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{time} left</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Choose another…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>No model is loaded yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Open a folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>The draft is being loaded…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>The model is being loaded…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Try again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/message_changes.py" />
      <source>The message was deleted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/message_changes.py" />
      <source>This version and the {count} messages after it were deleted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Open a model's folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Add a model's folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Asking for it…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Paused. {line}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Searching the hub…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Taking in {name}…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>The hub has nothing of that name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>no room for it in memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>{count} models here take {size}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>{name} was added.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Its weights are pickles, which can run any code: look for a version with safetensors files.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>The hub gives it only to accounts that its owner has let in: fetch its folder yourself and add it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>abilities</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>checked</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>context</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>disk</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>download</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>fits at 16 bits, about {sixteen} of the {free} that are free</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>fits at 4 bits, about {four} of the {free} that are free</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>languages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>licence</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>parameters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>too large: about {four} at 4 bits, and {free} are free</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>{count} downloads on the hub</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>{count} tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>4-bit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>8-bit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>A draft writes a few tokens ahead and the model checks them in one pass; automatic pauses while that loses.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Above 1 makes words that were already used less likely; 1 changes nothing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Automatic takes what proves fastest for code and for prose; n-gram repeats what the chat already says and costs nothing; a model is a small sibling of the target; trained is a head made for this very target; both takes the n-gram where the text repeats itself at length and the model elsewhere.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Both</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Context length</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Dark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Draft model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Dynamic length</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Folders, one a line, of draft models that are kept beside the first, for the task each of them is fastest at.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Further draft models</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How exactly the weights are held: fewer bits need less memory and are usually faster.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How many tokens are drafted each round (K); with a dynamic length, the first guess.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How many tokens of a chat the model can see at once; longer needs more memory.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Keep only this many of the likeliest tokens; 0 keeps all.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Keep the likeliest tokens that together reach this probability; 1 keeps all.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Least acceptance</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Leave out tokens less likely than this share of the likeliest one; 0 keeps all.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Let the draft length follow what is being accepted; off keeps it fixed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Light</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Light, dark, or whatever the system uses.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Longest draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Longest reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Low is steady and fast; high is lively and slower, as fewer drafted tokens fit; 0 takes the likeliest token.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Mark in the reply which words the draft wrote and which the model wrote itself.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Min-p</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>N-gram</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Name new chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>On</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Repetition penalty</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Seed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Show drafted tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>System prompt</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Temperature</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The longest a dynamic draft may grow.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The model you chat with: its name, or its folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The reply stops after this many tokens.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The same seed gives the same reply to the same question; empty draws a new one each time.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The small model that drafts; it must share the vocabulary of the model you chat with.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Top-k</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Top-p</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Trained</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>What is being written, which the draft follows; automatic sees it in the text.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>What the model is told before every chat, such as its role or the language to answer in.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>When fewer of the drafted tokens than this are accepted, a dynamic draft gets shorter.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>When it has nothing else to do, the model that answered gives a new chat its title.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>bfloat16</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>float16</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>float32</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/start.py" />
      <source>Foreword is already running, but its window does not answer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/start.py" />
      <source>Wait for a moment and start it again, or end it in the system's list of programs.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/training.py" />
      <source>A draft was trained for this model. It will be tried against the others.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/training.py" />
      <source>Load it now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/training.py" />
      <source>The training could not be started ({error}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Chats (*.zip *.json *.jsonl *.ndjson)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Export all chats into this folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Export as</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Exporting {done:,} of {total:,} chats…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Foreword chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Import a folder of chats, such as LM Studio's conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Import chats of ChatGPT, ShareGPT, OpenAI, LM Studio or Foreword</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>The import was cancelled. What was read so far is kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>There is no chat to export yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>and {count:,} more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{count:,} chats were exported to {name}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{count:,} chats were restored.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{name} was imported.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>About Foreword</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>Chat with language models on your own machine. Nothing you write leaves it. Below is what Foreword consists of, and on what terms.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>Licence</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>What Foreword consists of</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/attachment_chip.py" />
      <source>Take this file off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/attachment_chip.py" />
      <source>Take {name} off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/banner.py" />
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/banner.py" />
      <source>Close this message</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Earlier</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Pinned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>This week</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Today</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Yesterday</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Delete</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Export</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>JSON…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Markdown…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Name of the folder:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>New folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>New folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>None</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Pin to the top</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Remove the folder, keep its chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Rename</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Rename the folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Unpin</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>Copied</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>Copy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>Copy code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>Copy this code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Ask anything</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Attach files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Attach text or code files (Ctrl+Shift+A); they can be dropped here too</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Enter; Shift+Enter for a new line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Esc</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Send</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Stop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Check again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Check of this machine</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Copy as text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Everything is well</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>For whoever helps you: versions and places, nothing of your chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>It works, with reservations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Looking…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>good</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>warning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>wrong</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>{count} to be mended</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/draft_picker.py" />
      <source>Choose a draft model…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/draft_picker.py" />
      <source>none chosen</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>Code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>Explain</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>Explain why the sky is blue.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>The words stay on this machine. The gauges show how fast they come, and why.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>Write a Python function that merges two sorted lists.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/example_card.py" />
      <source>Ask this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Draft length</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Draft share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Expected gain</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>From sending to the first token of the reply.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>How many times faster than without speculation, as it was measured.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>How many times faster than without speculation, reckoned from acceptance and costs.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>How many tokens one pass of the model gives; 1 without speculation.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>K: how many tokens are drafted each round.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Measured gain</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Task</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Time spent drafting, of all the time spent decoding.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Time to first token</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Tokens per round</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>What is being written; the draft follows it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>What writes the tokens ahead.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Copy this reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Edit this reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>From sending to the first token</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>More</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Regenerate this reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>The part of decoding time spent drafting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>The target accepted {accepted} of {verified} draft tokens it judged</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Tokens for each pass of the target; 1 without speculation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Tokens per second while decoding, reading the prompt left out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>draft share {value:.0f} %</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>{value:.0f} % accepted</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>{value:.1f} per round</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>{value:.1f} tok/s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>{value:.2f} s to first</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>, {reused} remembered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>How many tokens of the reply come each second, over the last second.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>Of the drafted tokens that were checked, how many the model accepted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>Reading the chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>The task changed at the marks: {tasks}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>accepted</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>draft length</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>none</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>nothing drafted yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>nothing was drafted in this reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>per round</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>speculation is off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>the reply ended before it could be timed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>the share of drafted tokens accepted appears here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>tok/s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>tokens per second</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>tokens per second appear here as a reply streams</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>waiting for the first token</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>{done} of {total} tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>All models…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Automatic: pause while drafting loses</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Choose the model that answers (Ctrl+M)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>K = {k}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>K up to {k}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Loading…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Model: {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>More settings…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>No model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Off: the model writes every token itself</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>On: always draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Show or hide the chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Show or hide the chats (Ctrl+B)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Speculation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Speculation: {mode}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Unload: give its memory back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>automatic</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>n-gram</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>no draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>no draft model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>trained draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>{name} (English)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>{ngram} or {model}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Import chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Left out:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Progress of the import</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Reading {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>What was left out, and why</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>{chats:,} chats and {messages:,} messages are new.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>{known:,} messages were here already.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>{skipped:,} things were left out.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>bonus</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>recovered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>the draft wrote it, the target agreed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>the target's own, after a draft it accepted whole</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>the target's own, in place of a rejected draft token</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Context</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Load</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Load all the same</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Memory: {place}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>None (n-gram only)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Precision</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>main memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Ask this instead (Enter)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Asks again; the old version is kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Keep as a new version (Ctrl+Enter)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Leave it as it was (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Save</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>The message's text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>The old version is kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>Edit this question</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>Foreword</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>System</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>You</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_list.py" />
      <source>Conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Ask again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Continue this reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Copy message</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Edit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>New chat from here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Open {address}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Reply again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Select all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/message_view.py" />
      <source>{count} lines</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Download</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Forget</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Give up and delete</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Pause</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Progress of the download</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Remove…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Resume</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Show its folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>Found on the hub</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>Models</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>On this machine</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>To download</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Add a folder or GGUF…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Check this machine…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Delete {name} from this disk?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Name; Enter searches the hub</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Remove a model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Search models</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>This frees {size}. Chats are kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/newest_button.py" />
      <source>Go to the newest words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/newest_button.py" />
      <source>Newest</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Continue</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Ended at the longest reply the settings allow.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Ended because the context is full.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Let the reply go on where it stopped (Ctrl+Shift+Enter)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Stopped before the first word.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Stopped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>The reply failed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>What was written so far is kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>chat (keys and values)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>computing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>draft's chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>driver</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>missing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>only while loading</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>program</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>stays free</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>weights</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>A system prompt and settings for this chat alone (Ctrl+P)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>None: as set for all chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Preset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Preset of this chat: {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Remove a preset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Save as a preset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Save these settings as a preset…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>The system prompt, sampling and speculation of this chat, under the name:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/question_editor.py" />
      <source>Your question</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>A closer draft or a lower temperature may help.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>A smaller draft may help.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Automatic speculation pauses when it does.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Drafting lost time here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Drafting takes half the time.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Drafting takes much of the time.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Few drafted tokens fit.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Few drafted tokens fit; a lower one is faster.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>It starts again when the text gets easier to guess.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>No match yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Paused: drafting loses here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Paused: high temperature.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>The n-gram draft waits for words the chat has seen.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Turn it on in the settings to see the words sooner.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>All chats go back to what they were then. The present ones are backed up first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>Backups, newest first</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>Restore</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>Restore a backup</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>There is no backup yet. One is made every day on which Foreword is used.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Foreword takes the fastest draft for each task and tries the others now and then.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Measured on this machine while {target} replied.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>No draft gains here; {name} loses least, and pauses while it loses.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Not tried long enough yet: {names}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Nothing is measured yet; {name} begins.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Slower than no speculation: {names}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>What you chose is not loaded; {name} drafts meanwhile.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Without speculation it writes about {speed} tokens a second.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>You chose {name}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>n-gram + {draft}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>n-gram over past chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>no speculation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>{name} is all there is to draft with. Add a draft model to compare.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>{name} is the fastest: {gain} times as fast as without speculation.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>{written} tokens written; trying others has cost {share} of them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Add a draft model…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Automatic</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Automatic follows what is being accepted, as the settings say</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Automatic takes the fastest and tries the others now and then</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Draft length for {task}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Drop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Drop {draft}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Give the memory of {draft} back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>How often it was tried while another was faster</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Keep one more draft model in memory, for the task it is fastest at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Length</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>No model is loaded.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Of the drafted tokens at each place, how many stood</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Prose</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Times as fast as without speculation, for the same tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Tokens of replies a second, measured on this machine</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>What drafting one token takes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>What drafts {task}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>What works here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>a token costs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>accepted 1st, 2nd, 3rd, 4th</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>gain</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>tries</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>{name}  ·  chosen</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>{name}  ·  drafts now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>{name} (not loaded)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>Back to the default: {value}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>For example: answer briefly, in Chinese.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>Reset {setting}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>empty</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>random</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Appearance</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Changes apply to the next reply.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Close the settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Close the settings (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Loading (applies when a model is loaded next)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Put every setting back to its default; the models stay</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Reset all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Sampling</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/shortcuts.py" />
      <source>Break the line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/shortcuts.py" />
      <source>Delete the selected chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/shortcuts.py" />
      <source>Keyboard shortcuts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/shortcuts.py" />
      <source>Send the question</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>About Foreword…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Choose or open a model (Ctrl+M)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Export all as JSON…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Export all as Markdown…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Import a folder of chats…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Import chats from a file…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Import, export, backups</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>In messages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>In titles</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>New chat (Ctrl+N)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>No chat has these words.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Restore a backup…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Search chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Search titles and messages (Ctrl+K)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Speculation, sampling, appearance (Ctrl+,)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Your chats will be listed here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>(Ctrl+T)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Automatic: follow the text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Code: always</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Prose: always</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Task: {task}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>What is being written now, seen in the text; the draft follows it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>What works here…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Whether code or prose is written is seen in the text; the draft follows it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>You have pinned the task; the draft follows it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>prose</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>{task}, pinned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/text_surface.py" />
      <source>Accepted: the draft wrote it, the target agreed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/text_surface.py" />
      <source>Bonus: the target added it after a draft it accepted whole</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/text_surface.py" />
      <source>Recovered: the target wrote it instead of a rejected draft token</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/text_surface.py" />
      <source>{origin} (round {round})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Show or hide what it thought; it is not sent back to the model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thinking…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thinking… {time} s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thought</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thought for {time} s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>About {time}, {disk:.1f} GB of disk and {memory:.1f} GB of memory.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Also ask my own questions from my chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Done</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>For code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>For prose</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Go on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>How many of the head's first guesses are right, as it learns</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Load the model that the draft is to be for.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Loading the model…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Measuring what it gains</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Reading the answers again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Start</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>The model answers questions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>They are read on this machine only, and the draft's card names none of them</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Train a draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Training</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>accepted on questions it never saw: {rate}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>for all tasks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>for code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>for prose</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>paused</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>stopped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>{model} answers thousands of questions here, and a small head learns to foresee its words. Such a draft makes it faster and never changes what it says. Training runs at low priority, waits while you chat, and goes on where it was stopped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>{name}: accepted {rates} by position, {rounds:.2f} tokens a round, {gain:.2f} times as fast.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>{speed:,.0f} tokens a second</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/transcript.py" />
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/transcript.py" />
      <source>Open this address in your browser? The model wrote it; nobody has checked it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/transcript.py" />
      <source>Open this link?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/version_switch.py" />
      <source>Next version</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/version_switch.py" />
      <source>Version before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/version_switch.py" />
      <source>Version {number} of {count}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>All models: load, download, remove</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Chat above</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Chat below</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Choose a model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Choose a preset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Continue the last reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Copy the last reply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Edit the last question</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Rename the selected chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Show or hide the gauges</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Speculation: automatic, on, off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Stop the reply, or close the settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Task: automatic, code, prose</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Write a question</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>A tiny model to start with. It speaks English only and is often wrong about facts.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; a draft for its larger siblings.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; a good fit for 16 GB of memory.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; a good fit for a 24 GB card.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; at 4 bits for a 24 GB card.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; at 4 bits it fills a 24 GB card.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; quick on a processor.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>For code.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>For code; a draft for its larger siblings.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>From a copy that asks for no account. Its licence has conditions of its own.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Good English for its size.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Many languages; at 4 bits for a 16 GB card.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Many languages; at 4 bits it fills a 24 GB card.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Over 140 languages. From a copy that asks for no account; its licence has conditions of its own.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Six languages; can think before it answers.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Small and quick; English only.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Clear prose</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Exact and repeatable</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Short answers</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Story</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>中英互译</source>
      <translation type="unfinished" />
    </message>
  </context>
</TS>
