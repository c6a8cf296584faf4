"""Chats as files for people (Markdown) and for Foreword (JSON)."""
