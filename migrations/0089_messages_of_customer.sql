-- Up Migration

-- A shorter index writes less with each message; a customer's messages are few enough to sort.
create index messages_of_customer on messages (business_id, customer_uuid);
drop index messages_customer;
